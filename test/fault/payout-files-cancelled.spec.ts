import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { linesGone, payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';
import { tellEvents } from '../support/told-events.js';

const LINES = 3_000;
/** Two steps of three chunks: one that is not recorded, and the one that was requested ahead. */
const REGISTERED = 1_200;
const WITHIN = 60_000;

let database: TestDatabase;
let api: Service;
let worker: Service | undefined;
let partner: TestPartner;
let files: PayoutFiles;

beforeAll(async () => {
  database = await createDatabase();
  // It runs no files: partners' requests are answered while no worker lives.
  api = await startService(database.url, { ROLE: 'api' });
  // Recording is refused, as it is when too many single commands wait: lines are not, they wait apart.
  await database.query(`
    create function refuse_recording() returns trigger language plpgsql as $$
    begin raise exception 'recording is refused' using errcode = 'check_violation'; end $$`);
}, 60_000);

afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await database?.drop();
});

/** A file of which all is registered that may be without being recorded. */
let id: string;

beforeEach(async () => {
  partner = await new OperatorApi(api.url).partner([`${LINES}.00`]);
  files = new PayoutFiles(api.url, (await PartnerApi.login(api.url, partner.credentials)).token);
  await database.query(`
    create trigger refuse_recording before update on payout_file for each row
    when (new.run > old.run) execute function refuse_recording()`);
  id = (await files.upload(payoutCsv(LINES))).body.data.id;
  worker ??= await startService(database.url, { ROLE: 'worker' });
  await eventually(async () => (await registered()).length === REGISTERED, { within: WITHIN });
}, WITHIN * 2);

async function registered(): Promise<string[]> {
  const rows = await database.query(`select id from transaction where account_uid = $1 and type = 'CashOut'`, [
    partner.accounts[0],
  ]);
  return rows.map((row) => row.id as string).sort();
}

/** Cancels it, and lets it be recorded again. */
async function cancel(): Promise<void> {
  expect((await files.cancel(id)).body.data).toMatchObject({ state: 'Cancelled' });
  await database.query('drop trigger refuse_recording on payout_file');
}

async function expectAllTold(): Promise<void> {
  const { state, counts } = await files.ended(id, WITHIN);
  const paid = await registered();
  const results = await files.results(id);
  expect(results.map(({ transactionId }) => transactionId as string).sort()).toEqual(paid);
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: REGISTERED }, (_, i) => i + 2));
  await tellEvents(database);
  const [told] = await database.query(
    `select (data ->> 'registered')::int as registered from told.event
     where type = 'PayoutFileCompleted' and data ->> 'id' = $1`,
    [id],
  );
  expect([state, told!.registered, counts.cancelled]).toEqual(['Cancelled', REGISTERED, LINES - REGISTERED]);
  expect(Object.values<number>(counts).reduce((sum, count) => sum + count, 0)).toBe(LINES);
  await linesGone(database);
}

describe('a file that is cancelled while chunks of it are registered and not recorded', () => {
  it(
    'has all their payouts in its results when the process that ran it was killed',
    async () => {
      await worker!.kill('SIGKILL');
      worker = undefined;
      await cancel();
      worker = await startService(database.url, { ROLE: 'worker' });
      await expectAllTold();
    },
    WITHIN * 2,
  );

  it(
    'has all their payouts in its results when the process lives, and tries again',
    async () => {
      await cancel();
      await expectAllTold();
      await assertLedgerSound(database);
    },
    WITHIN * 2,
  );
});
