import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from './event.js';
import { RecentEvents } from './recent-events.js';

const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ position: BigInt(from + i) }) as RecordedEvent);
const positions = (given: readonly RecordedEvent[]) => given.map(({ position }) => Number(position));

describe('recent events', () => {
  it('are given from a position on, as far as they are known', () => {
    const recent = new RecentEvents();
    recent.append(1, events(5, 6));
    recent.append(1, events(7, 9));
    expect(positions(recent.after(1, 4n, 4))).toEqual([5, 6, 7, 8]);
    expect(positions(recent.after(1, 6n, 20))).toEqual([7, 8, 9]);
    expect(recent.after(1, 9n, 20)).toEqual([]);
  });

  it('are not given to whoever has not seen what was before them', () => {
    const recent = new RecentEvents();
    recent.append(1, events(5, 6));
    expect(recent.after(1, 3n, 6)).toEqual([]);
    expect(recent.after(2, 0n, 6)).toEqual([]);
    expect([recent.newest(1), recent.newest(2)]).toEqual([6n, undefined]);
  });

  it('begin anew where another process has written in between', () => {
    const recent = new RecentEvents();
    recent.append(1, events(1, 3));
    recent.append(1, events(5, 6));
    expect(recent.after(1, 0n, 6)).toEqual([]);
    expect(positions(recent.after(1, 4n, 6))).toEqual([5, 6]);
  });

  it('are forgotten, the oldest first, when there are many', () => {
    const recent = new RecentEvents();
    for (let from = 1; from <= 10_000; from += 100) recent.append(1, events(from, from + 99));
    expect(positions(recent.after(1, 7_000n, 10_000))).toEqual(positions(events(7_001, 10_000)));
    expect(recent.after(1, 3_000n, 10_000)).toEqual([]);
  });
});
