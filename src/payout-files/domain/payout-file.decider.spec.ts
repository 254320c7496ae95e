import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../accounts/index.js';
import type { NewEvent, RecordedEvent } from '../../event-store/index.js';
import { acceptFile, cancelFile, endCancelled, type RanLines, recordLines } from './payout-file.decider.js';
import { evolveFile, filesOf, type PayoutFile } from './payout-file.js';

const account = { uid: 'a', partnerUid: 'p', status: 'Active' } as Account;
const asked = { id: 'f', accessKey: 'k', format: 'csv', digest: 'd', lines: 201, amount: '20100', chunkDigests: '' };

const fold = (file: PayoutFile | undefined, events: readonly NewEvent[]) =>
  events.reduce(
    (row, event) => evolveFile(row, { ...event, time: new Date(0), position: 1n } as unknown as RecordedEvent),
    file,
  )!;
const accepted = () => fold(undefined, acceptFile(account, asked as never));
const paid = (line: number) => ({ line, transaction: `t${line}`, amount: 100n });
const linesOf = (chunk: number) => Array.from({ length: chunk === 0 ? 200 : 1 }, (_, i) => chunk * 200 + 2 + i);
const ran = (chunk: number, more: Partial<RanLines> = {}): RanLines => ({
  chunk,
  registered: linesOf(chunk).map(paid),
  refused: [],
  ...more,
});
/** Of a cancelled file: one line had been registered. */
const partly = (chunk: number) => ran(chunk, { registered: [paid(chunk * 200 + 2)] });

describe('a file of two chunks', () => {
  it('ends with its last one', () => {
    const half = fold(accepted(), recordLines(accepted(), [ran(0)]));
    expect(half).toMatchObject({ state: 'Running', run: 1, registered: 200, registeredAmount: 20000n, endedAt: null });
    const events = recordLines(half, [ran(1)]);
    expect(events.map(({ type }) => type)).toEqual(['PayoutFileLinesRun', 'PayoutFileCompleted']);
    expect(fold(half, events)).toMatchObject({ state: 'Completed', registered: 201, registeredAmount: 20100n });
  });

  it('may have both recorded at once', () => {
    const events = recordLines(accepted(), [ran(0), ran(1)]);
    expect(events.map(({ version }) => version)).toEqual([2, 3, 4]);
    const file = fold(accepted(), events);
    expect(file).toMatchObject({ state: 'Completed', run: 2, registered: 201, registeredAmount: 20100n });
    expect(events[2]!.data).toMatchObject({ registered: 201, registeredAmount: '20100' });
  });

  it('takes no chunk twice, and none before its turn', () => {
    const half = fold(accepted(), recordLines(accepted(), [ran(0)]));
    expect([recordLines(half, [ran(0), ran(1)]), recordLines(accepted(), [ran(1)])]).toEqual([[], []]);
  });

  it('keeps each error once, whoever has it', () => {
    const refused = linesOf(0).map((line) => ({ line, orderId: `o${line}`, amount: 1n, error: { name: 'X' } }));
    const [event] = recordLines(accepted(), [ran(0, { registered: [], refused })]);
    const once = refused.map(() => expect.objectContaining({ error: 0 }));
    expect(event!.data).toMatchObject({ errors: [{ name: 'X' }], refused: once });
  });

  it('that was cancelled ends with what may have been registered, or with nothing', () => {
    const cancelled = fold(accepted(), cancelFile(accepted()));
    const ended = fold(cancelled, recordLines(cancelled, [partly(0)], true));
    const both = recordLines(cancelled, [partly(0), ran(1, { registered: [] })]);
    expect(fold(cancelled, both)).toMatchObject({ state: 'Cancelled', run: 2, registered: 1, endedAt: new Date(0) });
    expect(ended).toMatchObject({ state: 'Cancelled', registered: 1, endedAt: new Date(0) });
    expect(fold(cancelled, endCancelled(cancelled))).toMatchObject({ state: 'Cancelled', registered: 0 });
    expect([endCancelled(ended), endCancelled(accepted())]).toEqual([[], []]);
    expect(() => cancelFile(cancelled)).toThrow('cannot become Cancelled');
  });

  it('that was cancelled goes on behind lines that were requested while it ran: more of them may be registered', () => {
    const cancelled = fold(accepted(), cancelFile(accepted()));
    const half = fold(cancelled, recordLines(cancelled, [partly(0)]));
    expect(half).toMatchObject({ state: 'Cancelled', run: 1, registered: 1, endedAt: null });
    const ended = fold(half, recordLines(half, [ran(1)], true));
    expect(ended).toMatchObject({ state: 'Cancelled', run: 2, registered: 2, endedAt: new Date(0) });
  });

  it('that runs does not end because it would if it were cancelled', () => {
    const half = fold(accepted(), recordLines(accepted(), [ran(0)], true));
    expect(half).toMatchObject({ state: 'Running', run: 1, endedAt: null });
  });
});

describe('what a row that was changed would make history', () => {
  const half = () => fold(accepted(), recordLines(accepted(), [ran(0)]));
  const completed = () => fold(half(), recordLines(half(), [ran(1)]));
  const cancelled = () => fold(accepted(), cancelFile(accepted()));
  const payout = { type: 'CashOutRegistered', data: { payoutFile: 'f' } } as unknown as RecordedEvent;

  it('contradicts the events before: chunks that were left out, and lines of one', () => {
    const skipped = recordLines({ ...accepted(), run: 1 }, [ran(1)]);
    expect(() => fold(accepted(), skipped)).toThrow('1 lines of chunk 1 are not what is next of the file f');
    expect(() => fold(half(), recordLines({ ...half(), run: 0 }, [ran(0)]))).toThrow('200 lines of chunk 0 are not');
    const [some] = recordLines({ ...accepted(), state: 'Cancelled' }, [partly(0)]);
    expect(() => fold(accepted(), [some!])).toThrow('1 lines of chunk 0 are not');
    expect(() => recordLines(accepted(), [partly(0)])).toThrow('1 lines of chunk 0 are not');
  });

  it('contradicts the events before: an end that was not cancelled, or is not there yet', () => {
    expect(() => fold(half(), endCancelled({ ...half(), state: 'Cancelled' }))).toThrow('cannot end as Cancelled now');
    const [, end] = recordLines({ ...cancelled(), state: 'Running', run: 1 }, [ran(1)]);
    expect(() => fold(cancelled(), [end!])).toThrow('cannot end as Completed now');
    expect(() => fold(half(), [end!])).toThrow('cannot end as Completed now');
    expect(() => fold(completed(), [end!])).toThrow('cannot end as Completed now');
  });

  it('contradicts the events before: what comes after a cancellation or the end', () => {
    expect(filesOf(payout)).toEqual(['f']);
    const running = accepted();
    expect(evolveFile(running, payout)).toBe(running);
    for (const file of [cancelled(), completed()]) {
      expect(() => evolveFile(file, payout)).toThrow('CashOutRegistered is about the file f, which does not run');
      expect(() => fold(file, cancelFile({ ...file, state: 'Running' }))).toThrow(
        'PayoutFileCancelled is about the file',
      );
    }
  });
});
