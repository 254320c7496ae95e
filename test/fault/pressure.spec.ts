import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outage } from './driver/outage.js';
import { faultsOf, overload } from './driver/overload.js';
import { PostgresServer } from './driver/postgres-server.js';
import { World } from './driver/world.js';

/** Shortened forms of `npm run test:fault -- --mode overload` and `--mode outage`. */
let postgres: PostgresServer;
beforeAll(async () => (postgres = await PostgresServer.start()), 60_000);
afterAll(() => postgres?.stop());

async function inWorld<T>(processes: number, work: (world: World) => Promise<T>): Promise<T> {
  const world = await World.build(postgres, processes);
  try {
    return await work(world);
  } finally {
    await world.stop();
  }
}

describe('twice as many commands as a slowed database allows', () => {
  it('are done as far as they can, the rest is refused at once, memory stays, and it is over when it is over', async () => {
    // So slow that the database is the limit, and not this machine, where other tests run too.
    const figures = await inWorld(1, (world) => overload(world, { slow: 200, times: 2, seconds: 5 }));
    expect({ wrong: faultsOf(figures), figures }).toEqual({ wrong: [], figures });
  }, 90_000);
});

describe('PostgreSQL gone for a while under load', () => {
  it('costs no acknowledged command, no wrong answer and no restart of the service', async () => {
    const { wrong, tally, recoveredAfterMs } = await inWorld(2, (world) => outage(world, 6, 8, 1));
    expect(wrong).toEqual([]);
    expect(tally.done).toBeGreaterThan(20);
    expect(recoveredAfterMs).toBeLessThan(10_000);
  }, 90_000);
});
