import { describe, expect, it } from '@jest/globals';
import { AttemptOutcomes } from './attempt-outcomes.js';
import { LockOut } from './lock-out.js';
import { ValidCredentials } from './valid-credentials.js';

const ROOM = 7_800;

/** The state of an entry point in one process. */
function entryPoint() {
  const [lockOut, valid] = [new LockOut(), new ValidCredentials()];
  return { lockOut, valid, outcomes: new AttemptOutcomes(lockOut, valid) };
}

/** Sends the outcomes of one process to another. @returns the number of messages */
function send(from: ReturnType<typeof entryPoint>, to: ReturnType<typeof entryPoint>): number {
  let messages = 0;
  for (let message = from.outcomes.takeUnsent(ROOM); message !== undefined; message = from.outcomes.takeUnsent(ROOM)) {
    expect(message.length).toBeLessThanOrEqual(ROOM);
    to.outcomes.receive(message);
    messages += 1;
  }
  return messages;
}

describe('outcomes of attempts, sent between processes', () => {
  it('make one count of the failures of all processes', () => {
    const [here, there] = [entryPoint(), entryPoint()];
    for (let i = 0; i < 5; i++)
      for (const { lockOut, outcomes } of [here, there]) {
        lockOut.failed('k');
        outcomes.failed('k', undefined);
      }
    expect([here.lockOut.pause('k'), there.lockOut.pause('k')]).toEqual([0, 0]);
    expect([send(here, there), send(there, here)]).toEqual([1, 1]);
    expect(Math.min(here.lockOut.pause('k'), there.lockOut.pause('k'))).toBeGreaterThan(29_000);
  });

  it('keep the order of failures and of the success that takes them back', () => {
    const [here, there] = [entryPoint(), entryPoint()];
    for (let i = 0; i < 12; i++) here.outcomes.failed('k', 'name');
    here.outcomes.succeeded('k', 'name');
    here.outcomes.failed('k', 'name');
    send(here, there);
    expect(there.lockOut.pause('k')).toBe(0);
    for (let i = 0; i < 9; i++) there.lockOut.failed('k', 'name');
    expect(there.lockOut.pause('k')).toBeGreaterThan(0);
  });

  it('give a new process the lock-outs and valid credentials; a repetition changes nothing', () => {
    const [here, there] = [entryPoint(), entryPoint()];
    for (let i = 0; i < 12; i++) here.lockOut.failed('k');
    here.valid.add('credential');
    for (let i = 0; i < 3; i++) there.outcomes.receive(here.outcomes.snapshot(ROOM)!);
    const [mine, theirs] = [here.lockOut.pause('k'), there.lockOut.pause('k')];
    expect(Math.abs(mine - theirs)).toBeLessThan(1_000);
    expect(there.valid.has('credential')).toBe(true);
    expect(entryPoint().outcomes.snapshot(ROOM)).toBeUndefined();
  });

  it.each([0, 1] as const)('tell a new process what a success takes back, there or here: %s', (at) => {
    const both = [entryPoint(), entryPoint()] as const;
    for (let i = 0; i < 12; i++) both[0].lockOut.failed('k', 'name');
    for (let i = 0; i < 3; i++) both[1].outcomes.receive(both[0].outcomes.snapshot(ROOM)!);
    expect(both[1].lockOut.pause('k')).toBeGreaterThan(0);
    const right = both[at];
    expect(right.lockOut.succeeded('k', 'name')).toBe(true);
    right.outcomes.succeeded('k', 'name');
    send(right, both[1 - at]!);
    for (const { lockOut } of both) {
      for (let i = 0; i < 9; i++) lockOut.failed('k');
      expect(lockOut.pause('k')).toBe(0);
    }
  });

  it('that are larger than any are no lock-out, and take no time', () => {
    const { lockOut, outcomes } = entryPoint();
    for (let i = 0; i < 9; i++) lockOut.failed('k');
    outcomes.receive('p/k=3600001 p/other=9999999');
    expect([lockOut.pause('k'), lockOut.pause('other')]).toEqual([0, 0]);
    const began = performance.now();
    outcomes.receive(Array.from({ length: 20 }, (_, i) => `f/many-${i}=9999999`).join(' '));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(lockOut.pause('many-0')).toBeLessThanOrEqual(3_600_000);
  });

  it('of a flood are limited to 5,000, and no message is too long', () => {
    const [here, there] = [entryPoint(), entryPoint()];
    for (let i = 0; i < 100_000; i++) here.outcomes.failed(`key-${i}`, undefined);
    expect(send(here, there)).toBeLessThan(20);
    expect(here.outcomes.isEmpty).toBe(true);
    for (let i = 0; i < 20_000; i++) for (let n = 0; n < 10; n++) here.lockOut.failed(`key-${i}`);
    expect(here.outcomes.snapshot(ROOM)!.length).toBeLessThanOrEqual(ROOM);
  });
});
