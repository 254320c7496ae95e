import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { payoutsOverEfi } from './driver/payouts.js';

/** The short form of `npm run test:fault -- --mode payouts`. */
let database: TestDatabase;
beforeAll(async () => (database = await createDatabase()));
afterAll(() => database.drop());

it('payouts over Efí are each paid once or not at all, the service killed at every point of their way', async () => {
  const seed = Date.now() % 2 ** 32;
  const { wrong, kills, completed, errors } = await payoutsOverEfi(database, {
    payouts: 140,
    kills: 1,
    atOnce: 4,
    seed,
    chaos: 12,
  });
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(Object.values(kills)).toEqual(Array(7).fill(1));
  expect([completed > 100, errors > 5]).toEqual([true, true]);
}, 120_000);
