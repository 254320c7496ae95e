import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../event-store/index.js';
import { Findings } from '../report.js';
import { drawnFromHolds } from './drawn-from-holds.js';

const event = (type: string, holdId: string, amount: string) =>
  ({ type, partition: 1, position: 7n, data: { transactionId: 'refund', holdId, amount } }) as unknown as RecordedEvent;
const drawn = event('HoldDrawn', 'hold', '400');

function found(...events: RecordedEvent[]) {
  const findings = new Findings();
  const fold = drawnFromHolds(findings);
  let row: string | undefined;
  for (const one of events) for (const key of fold.keysOf(one)) row = fold.evolve(row, one, key);
  return findings.divergences;
}

describe('money that a refund drew from a hold', () => {
  it('may stay out, or go back', () => {
    expect(found(drawn)).toEqual([]);
    expect(found(drawn, event('HoldRestored', 'hold', '400'))).toEqual([]);
  });

  it.each([
    ['to another hold', [drawn, event('HoldRestored', 'another', '400')], '400 of hold'],
    ['as more than it was', [drawn, event('HoldRestored', 'hold', '900')], '400 of hold'],
    ['twice', [drawn, event('HoldRestored', 'hold', '400'), event('HoldRestored', 'hold', '400')], 'nothing'],
    ['though it was never drawn', [event('HoldRestored', 'hold', '400')], 'nothing'],
  ])('is told where it goes back %s', (_how, events, expected) => {
    expect(found(...events)).toMatchObject([{ check: 'money drawn from holds', position: 7n, expected }]);
  });
});
