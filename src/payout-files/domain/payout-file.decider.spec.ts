import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../accounts/index.js';
import type { NewEvent, RecordedEvent } from '../../event-store/index.js';
import { acceptFile, cancelFile, endCancelled, type RanLines, recordLines } from './payout-file.decider.js';
import { evolveFile, type PayoutFile } from './payout-file.js';

const account = { uid: 'a', partnerUid: 'p', status: 'Active' } as Account;
const asked = { id: 'f', accessKey: 'k', format: 'csv', digest: 'd', lines: 201, amount: '20100', chunkDigests: '' };

const fold = (file: PayoutFile | undefined, events: readonly NewEvent[]) =>
  events.reduce(
    (row, event) => evolveFile(row, { ...event, time: new Date(0), position: 1n } as unknown as RecordedEvent),
    file,
  )!;
const accepted = () => fold(undefined, acceptFile(account, asked as never));
const paid = (line: number) => ({ line, transaction: `t${line}`, amount: 100n });
const ran = (chunk: number, more: Partial<RanLines> = {}): RanLines => ({
  chunk,
  registered: [paid(chunk * 200 + 2)],
  refused: [],
  ...more,
});

describe('a file of two chunks', () => {
  it('ends with its last one', () => {
    const half = fold(accepted(), recordLines(accepted(), [ran(0)]));
    expect(half).toMatchObject({ state: 'Running', run: 1, registered: 1, registeredAmount: 100n, endedAt: null });
    const events = recordLines(half, [ran(1)]);
    expect(events.map(({ type }) => type)).toEqual(['PayoutFileLinesRun', 'PayoutFileCompleted']);
    expect(fold(half, events)).toMatchObject({ state: 'Completed', registered: 2, registeredAmount: 200n });
  });

  it('may have both recorded at once', () => {
    const events = recordLines(accepted(), [ran(0), ran(1)]);
    expect(events.map(({ version }) => version)).toEqual([2, 3, 4]);
    const file = fold(accepted(), events);
    expect(file).toMatchObject({ state: 'Completed', run: 2, registered: 2, registeredAmount: 200n });
    expect(events[2]!.data).toMatchObject({ registered: 2, registeredAmount: '200' });
  });

  it('takes no chunk twice, and none before its turn', () => {
    const half = fold(accepted(), recordLines(accepted(), [ran(0)]));
    expect([recordLines(half, [ran(0), ran(1)]), recordLines(accepted(), [ran(1)])]).toEqual([[], []]);
  });

  it('keeps each error once, whoever has it', () => {
    const refused = [2, 3].map((line) => ({ line, orderId: `o${line}`, amount: 1n, error: { name: 'X' } }));
    const [event] = recordLines(accepted(), [ran(0, { registered: [], refused })]);
    expect(event!.data).toMatchObject({ errors: [{ name: 'X' }], refused: [{ error: 0 }, { error: 0 }] });
  });

  it('that was cancelled ends with what may have been registered, or with nothing', () => {
    const cancelled = fold(accepted(), cancelFile(accepted()));
    const ended = fold(cancelled, recordLines(cancelled, [ran(0)], true));
    const both = recordLines(cancelled, [ran(0), ran(1, { registered: [] })]);
    expect(fold(cancelled, both)).toMatchObject({ state: 'Cancelled', run: 2, registered: 1, endedAt: new Date(0) });
    expect(ended).toMatchObject({ state: 'Cancelled', registered: 1, endedAt: new Date(0) });
    expect(fold(cancelled, endCancelled(cancelled))).toMatchObject({ state: 'Cancelled', registered: 0 });
    expect([endCancelled(ended), endCancelled(accepted())]).toEqual([[], []]);
    expect(() => cancelFile(cancelled)).toThrow('cannot become Cancelled');
  });

  it('that was cancelled goes on behind lines that were requested while it ran: more of them may be registered', () => {
    const cancelled = fold(accepted(), cancelFile(accepted()));
    const half = fold(cancelled, recordLines(cancelled, [ran(0)]));
    expect(half).toMatchObject({ state: 'Cancelled', run: 1, registered: 1, endedAt: null });
    const ended = fold(half, recordLines(half, [ran(1)], true));
    expect(ended).toMatchObject({ state: 'Cancelled', run: 2, registered: 2, endedAt: new Date(0) });
  });

  it('that runs does not end because it would if it were cancelled', () => {
    const half = fold(accepted(), recordLines(accepted(), [ran(0)], true));
    expect(half).toMatchObject({ state: 'Running', run: 1, endedAt: null });
  });
});
