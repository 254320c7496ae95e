import type { Divergence, VerifyReport } from './report.js';

/** The report as JSON; positions are decimal text. */
export function toJson(report: VerifyReport): string {
  return JSON.stringify(report, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 2);
}

/** The report for people. */
export function toText(report: VerifyReport): string {
  const lines = [
    ...report.partitions.map(
      ({ partition, events, root, checkpoints, outside, sealed }) =>
        `partition ${partition}: ${events} events, root ${root.slice(0, 16)}…, ${checkpoints} checkpoints (${outside} from outside), ` +
        (events > sealed ? `${events - sealed} events after the newest one` : 'all sealed'),
    ),
    '',
    ...Object.entries(report.examined).map(([check, count]) => `checked ${count} × ${check}`),
    '',
    ...report.warnings.map((warning) => `WARNING: ${warning}`),
  ];
  if (report.first) {
    lines.push(`FIRST DIVERGENCE: ${describe(report.first)}`, '');
    lines.push(...report.divergences.slice(1).map(describe));
  }
  const verdict = report.ok ? 'OK: nothing diverges' : `NOT OK: ${report.divergenceCount} divergences`;
  return [...lines, `${verdict} (${report.seconds.toFixed(1)} s)`, ''].join('\n');
}

function describe({ check, partition, position, subject, field, expected, found }: Divergence): string {
  const place = `partition ${partition}, ${position === null ? 'no event' : `position ${position}`}`;
  return `${place}, field ${field}${subject ? ` of ${subject}` : ''} (${check}): expected ${expected}, found ${found}`;
}
