import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import { type LogTail, newId, type SubjectVault } from '../event-store/index.js';
import type { Database } from '../platform/database/index.js';
import { Registry } from './registry.js';

const UID = newId(1);
const MARIA = { name: 'Maria', taxNumber: '52998224725', branch: '', number: '', digit: '' };
const NOBODY = { ...MARIA, name: '', taxNumber: '' };

beforeEach(() => {
  // The cache holds the clock that was there when it was loaded.
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** A registry of one person's account, and how often it was read. */
function registryOfOne() {
  const state = { forgotten: false, reads: 0 };
  const row: QueryResultRow = { uid: UID, partner_uid: newId(0), system: null, holder: {}, available: '0', held: '0' };
  const query = async () => {
    state.reads += 1;
    return [{ ...row, blocked: '0', opened_at: new Date() }];
  };
  const vault = { open: async () => (state.forgotten ? null : MARIA) } as unknown as SubjectVault;
  const tail = { onEvent: () => undefined } as unknown as LogTail;
  return { registry: new Registry({ query } as unknown as Database, vault, tail), state };
}

it("forgets an account's facts after a minute, even where nobody says that the person was forgotten", async () => {
  const { registry, state } = registryOfOne();
  expect((await registry.facts(UID)).holder).toEqual(MARIA);
  state.forgotten = true;
  jest.advanceTimersByTime(50_000);
  // They are asked for all the time, which makes them no younger.
  expect((await registry.facts(UID)).holder).toEqual(MARIA);
  expect(state.reads).toBe(1);
  jest.advanceTimersByTime(12_000);
  expect((await registry.facts(UID)).holder).toEqual(NOBODY);
  expect(state.reads).toBe(2);
});
