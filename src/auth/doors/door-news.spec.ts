import { describe, expect, it } from '@jest/globals';
import { DoorNews } from './door-news.js';
import { LockOut } from './lock-out.js';
import { RightCredentials } from './right-credentials.js';

const ROOM = 7_800;

/** A door as one process has it. */
function door() {
  const [lockOut, right] = [new LockOut(), new RightCredentials()];
  return { lockOut, right, news: new DoorNews(lockOut, right) };
}

/** What one process has to tell, told to another, in as many messages as that takes. */
function tell(from: ReturnType<typeof door>, to: ReturnType<typeof door>): number {
  let messages = 0;
  for (let told = from.news.tell(ROOM); told !== undefined; told = from.news.tell(ROOM)) {
    expect(told.length).toBeLessThanOrEqual(ROOM);
    to.news.heard(told);
    messages += 1;
  }
  return messages;
}

describe('news of a door', () => {
  it('make failures of all processes one count', () => {
    const [here, there] = [door(), door()];
    for (let i = 0; i < 5; i++)
      for (const { lockOut, news } of [here, there]) {
        lockOut.failed('k');
        news.failed('k', undefined);
      }
    expect([here.lockOut.pause('k'), there.lockOut.pause('k')]).toEqual([0, 0]);
    expect([tell(here, there), tell(there, here)]).toEqual([1, 1]);
    expect(Math.min(here.lockOut.pause('k'), there.lockOut.pause('k'))).toBeGreaterThan(29_000);
  });

  it('keep the order of failures and of the success that takes them back', () => {
    const [here, there] = [door(), door()];
    for (let i = 0; i < 12; i++) here.news.failed('k', 'name');
    here.news.succeeded('k', 'name');
    here.news.failed('k', 'name');
    tell(here, there);
    expect(there.lockOut.pause('k')).toBe(0);
    for (let i = 0; i < 9; i++) there.lockOut.failed('k', 'name');
    expect(there.lockOut.pause('k')).toBeGreaterThan(0);
  });

  it('tell who has just come of pauses, and of what was right; twice told is once', () => {
    const [here, there] = [door(), door()];
    for (let i = 0; i < 12; i++) here.lockOut.failed('k');
    here.right.add('shown');
    for (let i = 0; i < 3; i++) there.news.heard(here.news.greet(ROOM)!);
    const [mine, theirs] = [here.lockOut.pause('k'), there.lockOut.pause('k')];
    expect(Math.abs(mine - theirs)).toBeLessThan(1_000);
    expect(there.right.has('shown')).toBe(true);
    expect(door().news.greet(ROOM)).toBeUndefined();
  });

  it('of a flood take no more memory than 5,000 of them, and no message is too long', () => {
    const [here, there] = [door(), door()];
    for (let i = 0; i < 100_000; i++) here.news.failed(`key-${i}`, undefined);
    expect(tell(here, there)).toBeLessThan(20);
    expect(here.news.isEmpty).toBe(true);
    for (let i = 0; i < 20_000; i++) for (let n = 0; n < 10; n++) here.lockOut.failed(`key-${i}`);
    expect(here.news.greet(ROOM)!.length).toBeLessThanOrEqual(ROOM);
  });
});
