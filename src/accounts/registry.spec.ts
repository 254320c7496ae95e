import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type EventLog, type RegistryTail, newId, type SubjectVault, type WholeStreams } from '../event-store/index.js';
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
  const data = { uid: UID, partnerUid: newId(0), holder: {} };
  const readStream = async () => {
    state.reads += 1;
    return [{ type: 'AccountOpened', data, time: new Date() }];
  };
  const vault = { open: async () => (state.forgotten ? null : MARIA) } as unknown as SubjectVault;
  const tail = { onEvent: () => undefined, onReset: () => undefined } as unknown as RegistryTail;
  const log = { readStream } as unknown as EventLog;
  return { registry: new Registry({} as Database, vault, log, {} as WholeStreams, tail), state };
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
