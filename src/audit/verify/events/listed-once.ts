import { listingOf } from '../../../accounts/index.js';
import type { EventFold } from '../../../event-store/index.js';
import type { Findings } from '../report.js';

const CHECK = 'payouts of files';
const NOTHING = 'nothing';

/**
 * What a file of payouts gives as its own was made for it, and is given once. The key of a line leads to its payout:
 * its row may have named another one for a moment.
 */
export function listedOnce(findings: Findings): EventFold<string> {
  return {
    name: 'listed-once',
    keysOf: (event) => listingOf(event)?.transactions ?? [],
    evolve(before, event, transaction) {
      const { owner, step } = listingOf(event)!;
      if (step === 'begun') return owner;
      findings.saw(CHECK);
      if (before !== owner) {
        const { partition, position } = event;
        const subject = `${event.type} of ${owner}`;
        const expected = `payouts of ${owner}, each once`;
        const found = `${transaction} of ${before ?? NOTHING}`;
        findings.report({ check: CHECK, partition, position, subject, field: 'transactions', expected, found });
      }
      return NOTHING;
    },
  };
}
