import type { EventFold, InlineProjection } from '../../../event-store/index.js';
import type { Findings } from '../report.js';

/** Folds a projection, and reports events that contradict the row that they were decided on. */
export function contradicting(projection: InlineProjection, findings: Findings): EventFold<unknown> {
  if (!projection.contradicts) return projection;
  const check = `decisions on ${projection.name}`;
  return {
    ...projection,
    evolve(row, event, key) {
      const found = projection.contradicts!(row, event, key);
      const { partition, position, type } = event;
      if (found) findings.report({ check, partition, position, subject: `${type} of ${key}`, ...found });
      return projection.evolve(row, event, key);
    },
  };
}
