import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/index.js';
import '../../payout-files/domain/payout-file.js';
import type { LogReader, ScannedEvent } from '../log/log-reader.js';
import { PartitionReplay } from './partition-replay.js';
import { Findings } from './report.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partition-replay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Moved = readonly [bucket: string, amount: string, entry: number, balance: string];

/** The events of a log, each with the minute of its commit. */
function logOf(...events: readonly [type: string, minute: number, data: object, ...moved: Moved[]][]): ScannedEvent[] {
  return events.map(([type, minute, data, ...moved], i) => {
    const postings = moved.map(([bucket, amount, entry, balance]) => ({
      account: bucket === 'issued' ? 'system' : 'a',
      ...{ bucket: bucket === 'issued' ? 'available' : bucket, amount, entry, balance },
    }));
    return {
      ...{ partition: 1, position: BigInt(i + 1), id: `e${i + 1}`, stream: `s${i + 1}`, version: 1, type },
      ...{ schemaVersion: 1, time: new Date(minute * 60_000), metadata: '{}' },
      data: JSON.stringify({ accountUid: 'a', ...data, postings }),
    } as unknown as ScannedEvent;
  });
}

const credited = (id: string, amount: number, entry: number, balance: number): [string, number, object, ...Moved[]] => [
  ...(['AccountCredited', entry + 1, { id, uid: 'a' }] as const),
  ['available', `${amount}`, entry, `${balance}`],
  ['issued', `${-amount}`, entry, `${-balance}`],
];

async function found(events: readonly ScannedEvent[], checksPostings = true) {
  const findings = new Findings();
  const replay = new PartitionReplay({
    ...{ folder, findings, checksPostings, partition: 1, size: BigInt(events.length), budget: 1_000 },
    ...{ inline: [], following: [], reached: new Map<string, bigint>() },
    database: {} as Database,
    reader: {
      async *pages() {
        yield events;
      },
    } as unknown as LogReader,
  });
  await replay.run(() => {});
  await replay.finish([]);
  return findings.divergences;
}

const WAITING = { id: 'h', amount: '500', filled: '0', retryUntil: '2100-01-01T00:00:00.000Z' };

it('finds nothing in a log that is right', async () => {
  expect(await found(logOf(credited('c1', 5, 1, 5), credited('c2', 3, 2, 8)))).toEqual([]);
});

it.each<[string, ScannedEvent[]]>([
  ['sums of postings', logOf(['AccountCredited', 1, { id: 'c1' }, ['available', '5', 1, '5']])],
  ['account numbering', logOf(credited('c1', 5, 1, 5), credited('c2', 3, 2, 9))],
  ['payments once', logOf(credited('c1', 5, 1, 5), credited('c1', 3, 2, 8))],
  ['money drawn from holds', logOf(['HoldRestored', 1, { transactionId: 't', holdId: 'h', amount: '5' }])],
  ['payouts of files', logOf(['PayoutFileLinesRun', 1, { id: 'f', transactions: ['t'] }])],
  ['credits of waiting holds', logOf(['HoldPlaced', 1, WAITING], credited('c1', 5, 1, 5))],
])('tells of what the last commit of a log has against %s, where the postings are checked', async (check, events) => {
  expect(await found(events)).toContainEqual(
    expect.objectContaining({ check, partition: 1, position: BigInt(events.length) }),
  );
  expect(await found(events, false)).toEqual([]);
});
