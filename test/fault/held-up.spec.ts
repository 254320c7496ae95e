import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogTail } from '../../src/event-store/registry/log-tail.js';
import { ServiceUnavailable } from '../../src/platform/errors/index.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';

/** Longer than the registry is trusted without a look. */
const HELD_MS = 1_200;

let database: TestDatabase;
let proxy: DatabaseProxy;
let inside: InProcess;
let tail: LogTail;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  inside = await startInProcess({ ...database, url: proxy.url });
  tail = inside.app.get(LogTail);
}, 60_000);
afterAll(async () => {
  await inside?.close();
  await proxy?.stop();
  await database?.drop();
});

/** Nothing of this process runs meanwhile, no timer and no socket. */
function holdUp(): void {
  for (const until = performance.now() + HELD_MS; performance.now() < until;);
}

describe('a process that is held up', () => {
  it('while it looks at the registry looks once more, and takes the database for what it is', async () => {
    await tail.catchUp();
    void tail.catchUp();
    holdUp();
    expect(tail.isFresh).toBe(false);
    await tail.freshen();
    expect(tail.isFresh).toBe(true);
  });

  it('between two looks, and again while it looks, does so too', async () => {
    await tail.catchUp();
    holdUp();
    const asked = tail.freshen();
    holdUp();
    await asked;
    expect(tail.isFresh).toBe(true);
  });

  it('waits for no database that hangs', async () => {
    proxy.stall(true);
    try {
      await eventually(() => !tail.isFresh);
      holdUp();
      // By its own turns: a statement has not timed out by then.
      const stalled = tail.catchUp().then(() => 'the look');
      const told = expect(tail.freshen()).rejects.toThrow(ServiceUnavailable);
      expect(await Promise.race([told.then(() => 'told'), stalled])).toBe('told');
    } finally {
      proxy.stall(false);
      await eventually(() => tail.freshen().then(() => true));
    }
  }, 30_000);
});
