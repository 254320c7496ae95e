import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let api: Service;
let worker: Service | undefined;
let partner: TestPartner;
let files: PayoutFiles;

// Without work, files wait.
beforeAll(async () => {
  database = await createDatabase();
  api = await startService(database.url, { ROLE: 'api' });
  partner = await new OperatorApi(api.url).partner(['1000.00']);
  files = new PayoutFiles(api.url, (await PartnerApi.login(api.url, partner.credentials)).token);
}, 60_000);

afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await database?.drop();
});

describe('lines that somebody changed in the database', () => {
  it('are never paid, and verify names them', async () => {
    const { id } = (await files.upload(payoutCsv(300))).body.data;
    await database.query(
      `update payout_file_input set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)
       where file_id = $1 and chunk = 1`,
      [id],
    );
    worker = await startService(database.url, { ROLE: 'worker' });
    await eventually(() => worker!.output().includes('THE LINES OF A PAYOUT FILE WERE CHANGED'), { within: 20_000 });
    const { counts } = (await files.get(id)).body.data;
    expect([counts.waiting, counts.error]).toEqual([100, 0]);
    const { code, stdout } = await runLedger(['verify'], { DATABASE_URL: database.url });
    expect([code, stdout]).toEqual([1, expect.stringContaining(`waiting lines of payout files ${id}/1`)]);
    expect((await files.cancel(id)).body.data).toMatchObject({ state: 'Cancelled' });
    expect((await files.get(id)).body.data.counts.cancelled).toBe(100);
  }, 60_000);
});
