import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RegistryTail } from '../../src/event-store/registry/registry-tail.js';
import { Database } from '../../src/platform/database/index.js';
import { ServiceUnavailable } from '../../src/platform/errors/index.js';
import { DatabaseHealth, HealthController } from '../../src/platform/health/health.controller.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';

/** Longer than the registry counts as fresh after a read. */
const STALL_MS = 1_200;
/** Longer than a check of the database may take. */
const LONG_STALL_MS = 2_200;

let database: TestDatabase;
let proxy: DatabaseProxy;
let inside: InProcess;
let tail: RegistryTail;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  inside = await startInProcess({ ...database, url: proxy.url });
  tail = inside.app.get(RegistryTail);
}, 60_000);
afterAll(async () => {
  await inside?.close();
  await proxy?.stop();
  await database?.drop();
});

/** Blocks this process: no timer and no socket runs. */
function blockProcess(ms = STALL_MS): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

describe('a process that is stalled', () => {
  it('during a read of the registry reads once more, and does not take the database for unreachable', async () => {
    await tail.catchUp();
    void tail.catchUp();
    blockProcess();
    expect(tail.isFresh).toBe(false);
    await tail.freshen();
    expect(tail.isFresh).toBe(true);
  });

  it('between two reads, and again during the next one, does so too', async () => {
    await tail.catchUp();
    blockProcess();
    const asked = tail.freshen();
    blockProcess();
    await asked;
    expect(tail.isFresh).toBe(true);
  });

  it('is ready: a balancer does not take it out for a moment without processor time', async () => {
    await tail.catchUp();
    blockProcess();
    expect(tail.isFresh).toBe(false);
    expect(await inside.app.get(HealthController).getReadiness()).toMatchObject({ status: 'ok' });
  });

  it('while it asks the database how it is reads the answer', async () => {
    const health = inside.app.get(DatabaseHealth);
    await health.check();
    const asked = health.check();
    await setImmediate();
    blockProcess(LONG_STALL_MS);
    expect(await asked).toEqual({ database: { status: 'up' } });
  });

  it('does not wait for a database that hangs', async () => {
    proxy.stall(true);
    try {
      await eventually(() => !tail.isFresh);
      blockProcess();
      // By its own polls: no statement has timed out by then.
      const stalled = tail.catchUp().then(() => 'the read');
      const refused = expect(tail.freshen()).rejects.toThrow(ServiceUnavailable);
      expect(await Promise.race([refused.then(() => 'refused'), stalled])).toBe('refused');
    } finally {
      proxy.stall(false);
      await eventually(() => tail.freshen().then(() => true));
    }
  }, 30_000);

  it('on a cluster waits for no read: every node has a copy of what the registry says', async () => {
    const spread = jest.spyOn(inside.app.get(Database), 'isSpread', 'get').mockReturnValue(true);
    proxy.stall(true);
    try {
      void tail.catchUp();
      blockProcess();
      const answered = tail.freshen();
      expect(await Promise.race([answered, setImmediate('the read')])).toBe(false);
    } finally {
      spread.mockRestore();
      proxy.stall(false);
      await eventually(() => tail.freshen().then(() => true));
    }
  }, 30_000);
});
