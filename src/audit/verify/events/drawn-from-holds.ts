import { HoldDrawn, HoldRestored } from '../../../accounts/index.js';
import type { EventFold, RecordedEvent } from '../../../event-store/index.js';
import type { Findings } from '../report.js';

const CHECK = 'money drawn from holds';
const NOTHING = 'nothing';

/**
 * What a refund drew from a hold goes back to that hold, whole and once, where the rail refuses. The lane reads which
 * hold it is in the refund's row, which somebody may have changed and put back.
 */
export function drawnFromHolds(findings: Findings): EventFold<string> {
  return {
    name: 'drawn-from-holds',
    keysOf: (event) => (HoldDrawn.is(event) || HoldRestored.is(event) ? [event.data.transactionId] : []),
    evolve(before, event, transactionId) {
      findings.saw(CHECK);
      const moved = textOf(event);
      if (HoldDrawn.is(event)) return moved;
      const expected = before ?? NOTHING;
      if (moved !== expected) {
        const { partition, position } = event;
        const subject = `${event.type} of ${transactionId}`;
        findings.report({ check: CHECK, partition, position, subject, field: 'holdId', expected, found: moved });
      }
      return NOTHING;
    },
  };
}

function textOf({ data }: RecordedEvent): string {
  const { holdId, amount } = data as { readonly holdId: string; readonly amount: string };
  return `${amount} of ${holdId}`;
}
