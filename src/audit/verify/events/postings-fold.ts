import { movesMoney } from '../../../accounts/index.js';
import type { EventFold, RecordedEvent } from '../../../event-store/index.js';
import { type Findings, show } from '../report.js';

/** An account as its entries give it. */
interface Numbering {
  readonly entries: number;
  readonly available: bigint;
  readonly held: bigint;
  readonly blocked: bigint;
}

/** Conservation: the postings of one event sum to zero. @throws SyntaxError for an invalid amount */
export function checkSum(event: RecordedEvent, findings: Findings): void {
  if (!movesMoney(event)) return;
  findings.saw('sums of postings');
  const sum = event.data.postings.reduce((total, { amount }) => total + BigInt(amount), 0n);
  if (sum === 0n) return;
  const { partition, position } = event;
  findings.report({
    check: 'sums of postings',
    partition,
    position,
    subject: null,
    field: 'data.postings',
    expected: '0',
    found: show(sum),
  });
}

/** Each account's entries are numbered without gaps, and each has the sum of its bucket so far as its balance. */
export function postingsFold(findings: Findings): EventFold<Numbering> {
  return {
    name: 'postings',
    keysOf: (event) => (movesMoney(event) ? [...new Set(event.data.postings.map(({ account }) => account))] : []),
    evolve(before, event, account) {
      const { partition, position } = event;
      let state = before ?? { entries: 0, available: 0n, held: 0n, blocked: 0n };
      if (!movesMoney(event)) return state;
      for (const posting of event.data.postings) {
        if (posting.account !== account) continue;
        const balance = state[posting.bucket] + BigInt(posting.amount);
        const wrong = (field: string, expected: unknown, found: unknown) =>
          findings.report({
            check: 'account numbering',
            partition,
            position,
            subject: `account ${account}`,
            field: `data.postings.${field}`,
            expected: show(expected),
            found: show(found),
          });
        if (posting.entry !== state.entries + 1) wrong('entry', state.entries + 1, posting.entry);
        if (BigInt(posting.balance) !== balance) wrong('balance', balance, posting.balance);
        findings.saw('account numbering');
        state = { ...state, entries: posting.entry, [posting.bucket]: balance };
      }
      return state;
    },
  };
}
