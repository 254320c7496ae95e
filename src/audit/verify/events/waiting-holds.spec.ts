import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../event-store/index.js';
import { Findings } from '../report.js';
import { WaitingHolds } from './waiting-holds.js';

const MINUTE_MS = 60_000;
const UNTIL = new Date(10 * MINUTE_MS).toISOString();

/** @param minute of its commit */
const event = (type: string, minute: number, data: object, ...moved: [string, bigint][]) =>
  ({
    ...{ type, partition: 1, position: BigInt(minute), time: new Date(minute * MINUTE_MS) },
    data: { accountUid: 'a', ...data, postings: moved.map(([bucket, amount]) => posting(bucket, amount)) },
  }) as unknown as RecordedEvent;
const posting = (bucket: string, amount: bigint) => ({ account: 'a', bucket, amount: amount.toString() });

const placed = (id: string, retryUntil?: string) =>
  event('HoldPlaced', 1, { id, amount: '500', filled: '0', ...(retryUntil && { retryUntil }) });
const credit = (minute: number, amount = 300n) => event('AccountCredited', minute, {}, ['available', amount]);
const debit = (minute: number, amount: bigint) => event('TransferSettled', minute, {}, ['available', -amount]);
const filled = (minute: number, amount: bigint, unfilled: string) =>
  event('HoldFilled', minute, { holdId: 'h', unfilled }, ['available', -amount], ['blocked', amount]);
const released = (minute: number, amount: bigint) =>
  event('HoldReleased', minute, { holdId: 'h', closed: false }, ['blocked', -amount], ['available', amount]);
const closed = (minute: number) => event('HoldReleased', minute, { holdId: 'h', closed: true });

function found(...events: RecordedEvent[]) {
  const findings = new Findings();
  const check = new WaitingHolds(findings);
  for (const one of events) check.examine(one);
  check.finish();
  return findings.divergences;
}

describe('what comes to an account with a hold that waits', () => {
  it.each<[string, RecordedEvent[]]>([
    [
      'may fill it, to the end',
      [placed('h', UNTIL), credit(2), filled(2, 300n, '200'), credit(3), filled(3, 200n, '0')],
    ],
    ['may be spent once it is filled', [placed('h', UNTIL), credit(2, 500n), filled(2, 500n, '0'), credit(3)]],
    ['may be spent once its time is over', [placed('h', UNTIL), credit(10)]],
    ['may be spent once it is closed', [placed('h', UNTIL), closed(2), credit(3)]],
    [
      'is not what the hold itself gives back',
      [placed('h', UNTIL), credit(2), filled(2, 300n, '200'), released(3, 9n)],
    ],
    ['is nothing where as much leaves', [placed('h', UNTIL), credit(2), debit(2, 300n)]],
    ['may be spent where no hold waits', [placed('h'), credit(2)]],
    [
      'was spent beside a time that versions before took for one of the past',
      [placed('h', '+010000-01-01'), credit(2)],
    ],
  ])('%s', (_what, events) => {
    expect(found(...events)).toEqual([]);
  });

  it.each<[string, RecordedEvent[], string]>([
    ['does not fill it', [placed('h', UNTIL), credit(2)], '300'],
    ['does not fill it before the next commit', [placed('h', UNTIL), credit(2), debit(3, 300n)], '300'],
    ['fills it with less', [placed('h', UNTIL), credit(2), filled(2, 100n, '400')], '200'],
    ['is more than is wanted, and none of it is taken', [placed('h', UNTIL), credit(2, 900n)], '500'],
  ])('is told where it %s', (_what, events, amount) => {
    expect(found(...events)).toMatchObject([
      { check: 'credits of waiting holds', position: 2n, expected: `${amount} for holds that wait` },
    ]);
  });
});
