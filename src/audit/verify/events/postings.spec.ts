import { describe, expect, it } from '@jest/globals';
import type { EventFold, RecordedEvent } from '../../../event-store/index.js';
import '../../../transfers/domain/transfer.events.js';
import { Findings } from '../report.js';
import { paymentsOnce } from './payments-once.js';
import { checkSum, postingsFold } from './postings-fold.js';

type Posting = readonly [account: string, bucket: string, amount: string, entry: number, balance: string];

const event = (position: bigint, type: string, id: string, postings: readonly Posting[], stream?: [string, number]) =>
  ({
    ...{ partition: 1, position, type, stream: stream?.[0] ?? `s${position}`, version: stream?.[1] ?? 1 },
    data: {
      id,
      postings: postings.map(([account, bucket, amount, entry, balance]) => ({
        ...{ account, bucket, amount, entry, balance },
      })),
    },
  }) as unknown as RecordedEvent;

/** What a fold tells of events, as a replay applies them. */
function found<Row>(foldOf: (findings: Findings) => EventFold<Row>, events: readonly RecordedEvent[]) {
  const findings = new Findings();
  const fold = foldOf(findings);
  const rows = new Map<string, Row>();
  for (const one of events) for (const key of fold.keysOf(one)) rows.set(key, fold.evolve(rows.get(key), one, key));
  return findings.divergences.map(({ position, field, expected }) => [position, field, expected]);
}

describe('the entries of an account', () => {
  const numbered = (...postings: readonly Posting[][]) =>
    found(
      postingsFold,
      postings.map((of, i) => event(BigInt(i + 1), 'X', `x${i}`, of)),
    );

  it('are numbered over all buckets, each of which has its own balance', () => {
    expect(
      numbered(
        [
          ['a', 'available', '10', 1, '10'],
          ['a', 'held', '4', 2, '4'],
          ['b', 'available', '-14', 1, '-14'],
        ],
        [
          ['a', 'available', '-3', 3, '7'],
          ['a', 'blocked', '3', 4, '3'],
        ],
        [['a', 'held', '-4', 5, '0']],
      ),
    ).toEqual([]);
  });

  it.each<[string, Posting[][], unknown[][]]>([
    ['begin late', [[['a', 'available', '1', 2, '1']]], [[1n, 'data.postings.entry', '1']]],
    [
      'leave one out',
      [[['a', 'available', '1', 1, '1']], [['a', 'held', '1', 3, '1']], [['a', 'held', '1', 4, '2']]],
      [[2n, 'data.postings.entry', '2']],
    ],
    [
      'are there twice',
      [[['a', 'available', '1', 1, '1']], [['a', 'available', '1', 1, '2']]],
      [[2n, 'data.postings.entry', '2']],
    ],
    [
      'have another balance, once',
      [
        [['a', 'available', '5', 1, '5']],
        [['a', 'available', '5', 2, '11']],
        [
          ['a', 'held', '1', 3, '1'],
          ['a', 'available', '-1', 4, '9'],
        ],
      ],
      [[2n, 'data.postings.balance', '10']],
    ],
    [
      "have another bucket's balance",
      [[['a', 'available', '5', 1, '5']], [['a', 'held', '1', 2, '6']]],
      [[2n, 'data.postings.balance', '1']],
    ],
  ])('are told of where they %s', (_how, postings, expected) => {
    expect(numbered(...postings)).toEqual(expected);
  });

  it.each([
    [['5', '-5'], []],
    [['5', '-4', '-1'], []],
    [['5'], ['5']],
    [['-5', '4'], ['-1']],
    [['5', '-4'], ['1']],
  ])('of one event sum to zero: %j', (amounts, sums) => {
    const findings = new Findings();
    const postings = amounts.map((amount): Posting => ['a', 'available', amount, 1, '1']);
    checkSum(event(3n, 'X', 'x', postings), findings);
    expect(findings.divergences.map(({ found: sum }) => sum)).toEqual(sums);
    expect(findings.examined).toEqual({ 'sums of postings': 1 });
    checkSum({ data: {} } as RecordedEvent, findings);
    expect(findings.examined).toEqual({ 'sums of postings': 1 });
  });
});

describe('a step of a payment', () => {
  const MOVED: Posting[] = [['a', 'available', '1', 1, '1']];
  const step = (position: bigint, type: string, id: string, stream?: [string, number]) =>
    event(position, type, id, MOVED, stream);
  const again = (...events: readonly RecordedEvent[]) => found(paymentsOnce, events);

  it.each<[string, RecordedEvent[]]>([
    ['is there once', [step(1n, 'A', 'x'), step(2n, 'A', 'y'), step(3n, 'B', 'x')]],
    ['is there again without money', [step(1n, 'A', 'x'), event(2n, 'A', 'x', [])]],
    [
      'begins its own stream, and goes on by others',
      [step(1n, 'A', 'x', ['p-x', 1]), step(2n, 'B', 'x', ['p-x', 2]), step(3n, 'A', 'y', ['p-y', 1])],
    ],
    [
      'ends a wait that began its stream',
      [
        event(1n, 'TransferScheduled', 'x', [], ['transfer-x', 1]),
        step(2n, 'TransferSettled', 'y', ['transfer-y', 1]),
        step(3n, 'TransferSettled', 'x', ['transfer-x', 2]),
      ],
    ],
  ])('%s', (_how, events) => {
    expect(again(...events)).toEqual([]);
  });

  it.each<[string, RecordedEvent[], string]>([
    ['in another stream', [step(1n, 'A', 'x'), step(2n, 'A', 'x')], 'postings once'],
    ['in its own stream', [step(1n, 'A', 'x', ['p-x', 2]), step(2n, 'A', 'x', ['p-x', 3])], 'postings once'],
    ['after it began its stream', [step(1n, 'A', 'x', ['p-x', 1]), step(2n, 'A', 'x', ['p-x', 2])], 'postings once'],
    [
      'after the end of its wait',
      [
        step(1n, 'TransferSettled', 'y', ['transfer-y', 1]),
        event(2n, 'TransferScheduled', 'x', [], ['transfer-x', 1]),
        step(3n, 'TransferSettled', 'x', ['transfer-x', 2]),
        step(4n, 'TransferSettled', 'x', ['transfer-x', 3]),
      ],
      'postings once',
    ],
  ])('is told of where it is there again %s', (_how, events, expected) => {
    expect(again(...events)).toEqual([[BigInt(events.length), 'data.id', expected]]);
  });
});
