import { parseCheckpoint } from '../../checkpoints/note.js';
import { type Findings, KEPT } from '../report.js';

/** The evidence for partitions that must exist, and those that do. */
export interface Expectations {
  /** Partitions that have a head row, in order. */
  readonly present: readonly number[];
  /** The configured number of partitions besides the registry's. */
  readonly configured: number;
  /** Partitions of which this ledger's `CHECKPOINT_DIR` has a checkpoint. */
  readonly kept: readonly number[];
  /** Checkpoints from elsewhere, as signed notes. */
  readonly notes: readonly string[];
  readonly originOf: (partition: number) => string;
}

/**
 * Other checks run for each head row: this one reports partitions that are missing with their head, and checkpoints
 * that nothing was compared with.
 */
export function reportMissing(findings: Findings, expected: Expectations): void {
  const { present, configured, kept, notes, originOf } = expected;
  const heads = new Set(present);
  const last = present.reduce((most, one) => Math.max(most, one), configured);
  // A head that somebody added may be the two thousand millionth.
  for (let partition = 0, missing = 0; partition <= last && missing < KEPT; partition++) {
    findings.saw('partitions');
    if (heads.has(partition)) continue;
    missing += 1;
    wrong(findings, 'partitions', partition, 'head', 'a partition', null);
  }
  for (const partition of kept.filter((one) => !heads.has(one))) {
    wrong(findings, 'checkpoints', partition, 'origin', 'the log of a checkpoint that was kept', originOf(partition));
  }
  const examined = new Set(present.map(originOf));
  for (const { origin, size } of notes.map(parseCheckpoint)) {
    if (examined.has(origin)) continue;
    const partition = Number(/\/partition-(\d+)$/.exec(origin)?.[1] ?? 0);
    wrong(findings, 'checkpoints', partition, 'origin', `the log of a given checkpoint of ${size} events`, origin);
  }
}

function wrong(
  findings: Findings,
  check: string,
  partition: number,
  field: string,
  expected: string,
  subject: string | null,
): void {
  findings.report({ check, partition, position: null, subject, field, expected, found: 'nothing' });
}
