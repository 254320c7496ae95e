import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Overloaded } from './errors/index.js';
import { FairTurns, type TurnBounds } from './fair-turns.js';

/** Work that ends when it is told to, in the order in which it was begun. */
function works(bounds: Partial<TurnBounds> & Pick<TurnBounds, 'atOnce' | 'waiting'>) {
  const turns = new FairTurns({ waitMs: 60_000, ...bounds });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string, name = caller) => {
    const asked = turns.take(caller, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
    // Whoever still waits when a test ends is refused when another one runs.
    asked.catch(() => undefined);
    return asked;
  };
  const end = async () => {
    ends.shift()!();
    await turnOfTheLoop();
    await turnOfTheLoop();
  };
  return { turns, begun, ends, ask, end };
}

describe('fair turns', () => {
  afterEach(() => void jest.useRealTimers());

  it('let so many go on at once, and the next when one has ended, whether well or not', async () => {
    const { turns, begun, ask, end } = works({ atOnce: 2, waiting: 10 });
    const failed = turns.take('a', () => Promise.reject(new Error('work')));
    await expect(failed).rejects.toThrow('work');
    for (const name of ['1', '2', '3', '4']) void ask('a', name);
    await turnOfTheLoop();
    expect(begun).toEqual(['1', '2']);
    await end();
    expect(begun).toEqual(['1', '2', '3']);
  });

  it('go from caller to caller, and within one in the order of asking', async () => {
    const { begun, ask, end } = works({ atOnce: 1, waiting: 10 });
    for (const [caller, name] of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => [name[0]!, name] as const)) {
      void ask(caller, name);
    }
    for (let i = 0; i < 6; i++) await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('count who waited before it began: whoever asks later waits too', async () => {
    const { begun, ask, end } = works({ atOnce: 1, waiting: 10 });
    for (const name of ['a1', 'a2']) void ask('a', name);
    await end();
    void ask('b', 'b1');
    await turnOfTheLoop();
    expect(begun).toEqual(['a1', 'a2']);
    await end();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it("give a caller's part to nobody twice, whoever else has ended", async () => {
    const { begun, ask, end } = works({ atOnce: 3, atOnceOfOne: 1, waiting: 10 });
    for (const name of ['b1', 'a1', 'a2', 'a3']) void ask(name[0]!, name);
    await end();
    expect(begun).toEqual(['b1', 'a1']);
    await end();
    expect(begun).toEqual(['b1', 'a1', 'a2']);
  });

  it('let one caller have a part of them only: who takes long is in nobody else’s way', async () => {
    const { begun, ask, end } = works({ atOnce: 3, atOnceOfOne: 2, waiting: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void ask(name[0]!, name);
    await turnOfTheLoop();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
    await end();
    await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('refuse the last of the longest line where no more can wait, and never who waits alone in his', async () => {
    const { begun, ask, end } = works({ atOnce: 1, waiting: 3 });
    const asked = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name));
    const other = ask('b');
    await expect(asked[3]).rejects.toThrow(Overloaded);
    await expect(ask('a', 'a5')).rejects.toThrow(Overloaded);
    for (let i = 0; i < 4; i++) await end();
    await other;
    expect(begun).toEqual(['a1', 'a2', 'b', 'a3']);
  });

  it('refuse who has waited too long, and give his turn to the next', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { begun, ask, end } = works({ atOnce: 1, waiting: 3, waitMs: 20 });
    void ask('a', 'first');
    const impatient = expect(ask('a', 'impatient')).rejects.toThrow(Overloaded);
    jest.advanceTimersByTime(20);
    await impatient;
    void ask('a', 'last');
    await end();
    expect(begun).toEqual(['first', 'last']);
  });

  it('refuse nobody who was called in his last moment', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { begun, ends, ask } = works({ atOnce: 1, waiting: 3, waitMs: 20 });
    void ask('a', 'first');
    const called = ask('a', 'called');
    ends.shift()!();
    for (let tick = 0; tick < 10; tick++) await Promise.resolve();
    jest.advanceTimersByTime(20);
    await turnOfTheLoop();
    ends.shift()!();
    await called;
    expect(begun).toEqual(['first', 'called']);
  });
});
