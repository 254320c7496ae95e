import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from './driver/random.js';
import { PostgresServer } from './driver/postgres-server.js';
import { runRound } from './driver/round.js';
import { keptSeeds } from './driver/seeds.js';
import { ALMOST_NO_QUEUE, World } from './driver/world.js';

/** The driver's shortened form: the rounds that once failed, and a new one. `npm run test:fault` goes on for longer. */
const CLIENTS = 8;
const FAULTS = 6;

let postgres: PostgresServer;
beforeAll(async () => (postgres = await PostgresServer.start()), 60_000);
afterAll(() => postgres?.stop());

async function wrongIn(seed: number, processes: number): Promise<readonly string[]> {
  const world = await World.build(postgres, processes, ALMOST_NO_QUEUE);
  try {
    const { wrong, book } = await runRound(world, { seed, faults: FAULTS, clients: CLIENTS }, []);
    expect(book.tally().done).toBeGreaterThan(0);
    return wrong;
  } finally {
    await world.stop();
  }
}

describe('under random traffic, with processes killed, PostgreSQL restarted and connections cut', () => {
  const seed = new Random(Date.now()).whole(0, 2 ** 32 - 1);

  it(`nothing is lost, doubled or unbalanced (seed ${seed})`, async () => {
    expect(await wrongIn(seed, 2)).toEqual([]);
  }, 120_000);
});

const kept = await keptSeeds();
(kept.length > 0 ? describe : describe.skip)('the round of a kept seed', () => {
  it.each(kept)(
    '$seed holds ($why)',
    async ({ seed, processes }) => {
      expect(await wrongIn(seed, processes)).toEqual([]);
    },
    120_000,
  );
});
