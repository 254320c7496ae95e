import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outage } from './driver/outage.js';
import { faultsOf, overload } from './driver/overload.js';
import { PostgresServer } from './driver/postgres-server.js';
import { World } from './driver/world.js';

/** Shortened forms of `npm run test:fault -- --mode overload` and `--mode outage`. */
let postgres: PostgresServer;
beforeAll(async () => (postgres = await PostgresServer.start()), 60_000);
afterAll(() => postgres?.stop());

async function inWorld<T>(
  { processes, ...settings }: { processes: number; LEDGER_BATCH_SIZE?: string },
  work: (world: World) => Promise<T>,
): Promise<T> {
  const world = await World.build(postgres, processes, settings);
  try {
    return await work(world);
  } finally {
    await world.stop();
  }
}

describe('five times as many commands as a slowed database allows', () => {
  it('are done as far as they can, the rest is refused at once, memory stays, and it is over when it is over', async () => {
    // Batches so small and round trips so slow that five times of what they can do is little for this machine, where
    // other tests run too: what is seen is the service under pressure, and not the machine.
    const batch = 5;
    const figures = await inWorld({ processes: 1, LEDGER_BATCH_SIZE: String(batch) }, (world) =>
      overload(world, { batch, slow: 100, times: 5, seconds: 5 }),
    );
    expect({ wrong: faultsOf(figures), figures }).toEqual({ wrong: [], figures });
  }, 90_000);
});

describe('PostgreSQL gone for a while under load', () => {
  it('costs no acknowledged command, no wrong answer and no restart of the service', async () => {
    const { wrong, tally, recoveredAfterMs, goneSeconds } = await inWorld({ processes: 2 }, (world) =>
      outage(world, 6, 8, 1),
    );
    expect(wrong).toEqual([]);
    expect(tally.done).toBeGreaterThan(20);
    // It is back sooner than it was away.
    expect(recoveredAfterMs).toBeLessThan(goneSeconds * 1000);
  }, 90_000);
});
