import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { depositsOverApiPix } from './driver/deposits.js';

/** The short form of `npm run test:fault -- --mode deposits`. */
let database: TestDatabase;
beforeAll(async () => (database = await createDatabase()));
afterAll(() => database.drop());

it('every payment over the API Pix is credited or goes back, once, two processes killed at every call of the PSP', async () => {
  const seed = Date.now() % 2 ** 32;
  const { wrong, kills, payments } = await depositsOverApiPix(database, { deposits: 180, kills: 1, seed, chaos: 12 });
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(kills).toBeGreaterThanOrEqual(12);
  expect([payments.credited > 60, payments.returned > 20, payments.unmatched > 0]).toEqual([true, true, true]);
}, 180_000);
