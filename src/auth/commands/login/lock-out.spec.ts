import { describe, expect, it } from '@jest/globals';
import { LockOut } from './lock-out.js';

const KEY = '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e';
const HERE = '203.0.113.7';

/** Seconds for which the key is locked at a time; 0 for not at all. */
function wait(lockOut: LockOut, at: number, address = HERE): number {
  try {
    lockOut.assertOpen(KEY, address, at);
    return 0;
  } catch (error) {
    return (error as { retryAfterSeconds: number }).retryAfterSeconds;
  }
}

function failing(times: number, at = 0): LockOut {
  const lockOut = new LockOut();
  for (let i = 0; i < times; i++) lockOut.failed(KEY, HERE, at);
  return lockOut;
}

describe('failed logins of one key and address', () => {
  it('lock it at the tenth in a row, and for twice as long with each further one, up to an hour', () => {
    expect([9, 10, 11, 12, 16, 17, 40].map((times) => wait(failing(times), 0))).toEqual([
      0, 30, 60, 120, 1920, 3600, 3600,
    ]);
  });

  it('lock it no longer than that', () => {
    expect(wait(failing(10), 29_999)).toBe(1);
    expect(wait(failing(10), 30_000)).toBe(0);
  });

  it('do not lock it for another address', () => {
    expect(wait(failing(40), 0, '203.0.113.8')).toBe(0);
  });

  it('are forgotten with a login that succeeds, and after two hours', () => {
    const lockOut = failing(9);
    lockOut.succeeded(KEY, HERE);
    lockOut.failed(KEY, HERE, 0);
    expect(wait(lockOut, 0)).toBe(0);
    const old = failing(20);
    old.failed(KEY, HERE, 2 * 3_600_000);
    expect(wait(old, 2 * 3_600_000)).toBe(0);
  });

  it('of many others do not make it forgotten: memory is bounded, the oldest go first', () => {
    const lockOut = new LockOut();
    for (let i = 0; i < 49_000; i++) lockOut.failed(`key-${i}`, HERE, 0);
    for (let i = 0; i < 10; i++) lockOut.failed(KEY, HERE, 0);
    for (let i = 0; i < 20_000; i++) lockOut.failed(`other-${i}`, HERE, 0);
    expect(wait(lockOut, 0)).toBe(30);
  });
});
