import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LockOut } from './lock-out.js';

const KEY = 'console 203.0.113.7';
const HOUR = 3_600_000;

/** Seconds for which the key is locked at a time; 0 for not at all. */
const wait = (lockOut: LockOut, at: number, key = KEY) => lockOut.pause(key, at) / 1000;

function failing(times: number, at = 0, name?: string): LockOut {
  const lockOut = new LockOut();
  fail(lockOut, times, at, name);
  return lockOut;
}

function fail(lockOut: LockOut, times: number, at = 0, name?: string): void {
  for (let i = 0; i < times; i++) lockOut.failed(KEY, name, at);
}

describe('failures of one key', () => {
  it('lock it at the tenth, and for twice as long with each further one, up to an hour', () => {
    expect([9, 10, 11, 12, 16, 17, 40].map((times) => wait(failing(times), 0))).toEqual([
      0, 30, 60, 120, 1920, 3600, 3600,
    ]);
  });

  it('lock it no longer than that', () => {
    expect(wait(failing(10), 29_999)).toBe(0.001);
    expect(wait(failing(10), 30_000)).toBe(0);
  });

  it('do not lock another', () => {
    expect(wait(failing(40), 0, 'console 203.0.113.8')).toBe(0);
  });

  it('are taken back by the success of the credential that they named', () => {
    const lockOut = failing(9, 0, 'own');
    lockOut.succeeded(KEY, 'own', 0);
    fail(lockOut, 9);
    expect(wait(lockOut, 0)).toBe(0);
    fail(lockOut, 1);
    expect(wait(lockOut, 0)).toBe(30);
  });

  it('are not taken back by the success of another, nor is the pause ended', () => {
    const lockOut = failing(9);
    fail(lockOut, 5, 0, 'own');
    lockOut.succeeded(KEY, 'another', 0);
    expect(wait(lockOut, 0)).toBe(480);
    lockOut.succeeded(KEY, 'own', 0);
    expect(wait(lockOut, 0)).toBe(0);
    fail(lockOut, 1);
    expect(wait(lockOut, 0)).toBe(30);
    const guessed = failing(11);
    fail(guessed, 1, 0, 'own');
    guessed.succeeded(KEY, 'own', 0);
    expect(wait(guessed, 0)).toBe(120);
  });

  it('are taken back once: further successes take back nothing of what others failed', () => {
    const lockOut = failing(5);
    fail(lockOut, 4, 0, 'own');
    expect([lockOut.succeeded(KEY, 'own', 0), lockOut.succeeded(KEY, 'own', 0)]).toEqual([true, false]);
    fail(lockOut, 4);
    expect(lockOut.succeeded(KEY, 'own', 0)).toBe(false);
    expect(wait(lockOut, 0)).toBe(0);
    fail(lockOut, 1);
    expect(wait(lockOut, 0)).toBe(30);
  });

  it('are taken back by seventeen names at most: more would be a list of guesses', () => {
    const lockOut = new LockOut();
    for (let i = 0; i < 18; i++) lockOut.failed(KEY, `name ${i}`, 0);
    lockOut.failed(KEY, 'name 0', 0);
    expect([17, 16, 0].map((i) => lockOut.succeeded(KEY, `name ${i}`, 0))).toEqual([false, true, true]);
    // Of the most that count, three were taken back.
    fail(lockOut, 1);
    expect(wait(lockOut, 0)).toBe(30 * 2 ** (17 - 3 + 1 - 10));
  });

  it('of more networks than are counted are not kept', () => {
    const lockOut = new LockOut();
    for (let i = 0; i < 60_000; i++) lockOut.failed(`other-${i}`, 'name', 0);
    expect([...lockOut.claims()].length).toBeLessThanOrEqual(50_000);
  });

  it('are forgiven one by one after the pause, so that a slip an hour locks nobody', () => {
    const lockOut = new LockOut();
    for (let hour = 0; hour < 100; hour++) fail(lockOut, 1, hour * HOUR);
    expect(wait(lockOut, 99 * HOUR)).toBe(0);
    const old = failing(20);
    fail(old, 1, 3 * HOUR);
    expect(wait(old, 3 * HOUR)).toBe(0);
  });

  it('of who tries once after each pause go on to lock it for an hour', () => {
    const lockOut = failing(10);
    let now = 0;
    for (let i = 0; i < 10; i++) {
      now += lockOut.pause(KEY, now);
      fail(lockOut, 1, now);
    }
    expect(wait(lockOut, now)).toBe(3_600);
  });

  it('of many others do not make it forgotten: memory is bounded, the fewest failures go first', () => {
    const lockOut = failing(9);
    for (let i = 0; i < 200_000; i++) lockOut.failed(`other-${i}`, undefined, 0);
    fail(lockOut, 1);
    expect(wait(lockOut, 0)).toBe(30);
  });
});

describe('a lock-out that began at another process', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const now = () => performance.now();

  it('goes on here, and twice as long with the next failure', () => {
    const lockOut = new LockOut();
    lockOut.paused(KEY, 120_000);
    expect(wait(lockOut, now())).toBe(120);
    lockOut.failed(KEY);
    expect(wait(lockOut, now())).toBe(240);
    const nearlyOver = new LockOut();
    nearlyOver.paused(KEY, 5_000);
    nearlyOver.failed(KEY);
    expect(wait(nearlyOver, now())).toBe(60);
  });

  it('shortens none of this process, and leaves what a success takes back', () => {
    const lockOut = failing(12, now(), 'own');
    lockOut.paused(KEY, 30_000);
    expect(wait(lockOut, now())).toBe(120);
    lockOut.paused(KEY, 240_000);
    expect(wait(lockOut, now())).toBe(240);
    expect(lockOut.succeeded(KEY, 'own')).toBe(true);
  });

  it('is told with the time that is left, the longest first; a few failures are none', () => {
    const lockOut = failing(9, now());
    for (let i = 0; i < 10; i++) lockOut.failed('short', undefined, now());
    for (let i = 0; i < 11; i++) lockOut.failed('long', undefined, now());
    jest.advanceTimersByTime(10_000);
    expect(lockOut.pauses()).toEqual([
      ['long', 50_000],
      ['short', 20_000],
    ]);
    jest.advanceTimersByTime(20_000);
    expect(lockOut.pauses()).toEqual([['long', 30_000]]);
  });
});
