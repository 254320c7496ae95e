import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type RecordedEvent } from '../event-store/index.js';
import { evolveFile, type PayoutFile } from './domain/payout-file.js';
import { LoggedFiles } from './logged-files.js';

const ID = newId(1);

let log: RecordedEvent[];
let row: PayoutFile;
let reads: number;
let files: LoggedFiles;

const event = (type: string, data: object) =>
  ({
    type,
    id: newId(1),
    data: { id: ID, ...data },
    time: new Date(0),
    position: 1n,
    version: log.length + 1,
  }) as never as RecordedEvent;
const accepted = () => event('PayoutFileAccepted', { lines: 400, amount: '400' });
const run = (chunk: number, refused: number) =>
  event('PayoutFileLinesRun', {
    ...{ chunk, transactions: [], amount: '0', refusedAmount: '0' },
    lines: Array.from({ length: 200 - refused }, (_, line) => line),
    refused: Array.from({ length: refused }, (_, line) => ({ line, amount: '1' })),
  });
const folded = () => log.reduce<PayoutFile | undefined>(evolveFile, undefined)!;
const append = (made: RecordedEvent) => {
  log.push(made);
  row = folded();
};

beforeEach(() => {
  [log, reads] = [[], 0];
  const readStream = (_partition: number, _stream: string, after: number, limit: number) => {
    reads += 1;
    return Promise.resolve(log.slice(after, after + limit));
  };
  files = new LoggedFiles({ readStream } as never, { find: () => Promise.resolve(row) } as never);
  append(accepted());
});

describe('a file as its events make it', () => {
  it('is read on where it was read before', async () => {
    await files.find(ID);
    append(run(0, 0));
    expect(await files.find(ID)).toEqual(folded());
    expect(reads).toBe(2);
  });

  it('is read anew where events that were read are gone with a standby that lagged, and others came', async () => {
    append(run(0, 0));
    expect(await files.find(ID)).toMatchObject({ run: 1, version: 2 });
    log.pop();
    row = folded();
    expect(await files.find(ID)).toMatchObject({ run: 0, version: 1 });
    append(run(0, 0));
    await files.find(ID);
    log.pop();
    append(run(0, 7));
    expect(await files.find(ID)).toEqual(folded());
    log.pop();
    append(run(0, 8));
    append(run(1, 0));
    expect(await files.find(ID)).toEqual(folded());
    log.splice(1);
    append(run(0, 9));
    append(run(1, 0));
    append(event('PayoutFileCompleted', { state: 'Completed' }));
    expect(await files.find(ID)).toMatchObject({ refused: 9, state: 'Completed', version: 4 });
  });

  it('is refused where its row differs, however often it is asked for', async () => {
    await files.find(ID);
    row = { ...row, run: 1 };
    for (let tries = 0; tries < 2; tries++) await expect(files.find(ID)).rejects.toThrow('another run than its events');
    row = { ...folded(), version: 0 };
    for (let tries = 0; tries < 2; tries++) await expect(files.find(ID)).rejects.toThrow('another version');
  });
});
