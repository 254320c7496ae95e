import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { linesGone, payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

/** More of them: `PAYOUT_FILE_LINES=100000 PAYOUT_FILE_KILLS=10`. */
const LINES = Number(process.env.PAYOUT_FILE_LINES ?? 3_000);
const KILLS = Number(process.env.PAYOUT_FILE_KILLS ?? 4);
const WITHIN = 30_000 + LINES * 20;

let database: TestDatabase;
const services: Service[] = [];
let partner: TestPartner;
let token: string;

beforeAll(async () => {
  database = await createDatabase();
  services.push(await startService(database.url), await startService(database.url));
  partner = await new OperatorApi(services[0]!.url).partner([`${LINES}.00`]);
  ({ token } = await PartnerApi.login(services[0]!.url, partner.credentials));
}, 60_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database?.drop();
});

const run = async () => {
  const [row] = await database.query('select coalesce(sum(registered + refused), 0)::int as lines from payout_file');
  return row!.lines as number;
};

describe(`a file of ${LINES} lines, while ${KILLS} processes are killed`, () => {
  it(
    'loses no line and pays none twice',
    async () => {
      const { status, body } = await new PayoutFiles(services[0]!.url, token).upload(payoutCsv(LINES));
      expect(status).toBe(201);
      const { id } = body.data;
      const began = performance.now();
      for (let kill = 1; kill <= KILLS; kill++) {
        const reached = Math.floor((LINES * kill) / (KILLS + 1));
        await eventually(async () => (await run()) >= reached, { within: WITHIN });
        // Both, so that the one that runs the file is among them.
        await Promise.all(services.map((service) => service.kill('SIGKILL')));
        services.length = 0;
        services.push(await startService(database.url), await startService(database.url));
      }
      const files = new PayoutFiles(services[0]!.url, token);
      const file = await files.ended(id, WITHIN);
      const seconds = (performance.now() - began) / 1000;
      if (process.env.PAYOUT_FILE_LINES) console.log(`${LINES} lines, ${KILLS} kills: ${seconds.toFixed(1)} s`);
      expect(file).toMatchObject({ state: 'Completed', lines: LINES });
      const [paid] = await database.query(`
        select count(*)::int as payouts, count(distinct order_id)::int as orders, sum(amount)::text as amount
        from transaction where type = 'CashOut'`);
      expect(paid).toEqual({ payouts: LINES, orders: LINES, amount: String(LINES * 100) });
      const results = await files.results(id);
      expect(results.map(({ line }) => line)).toEqual(Array.from({ length: LINES }, (_, i) => i + 2));
      expect(new Set(results.map(({ transactionId }) => transactionId)).size).toBe(LINES);
      expect(results.filter(({ orderId, line }) => orderId !== `order-${line - 1}`)).toEqual([]);
      const session = PartnerApi.withToken(services[0]!.url, token);
      expect((await session.balance(partner.accounts[0]!)).available).toBe('0.00');
      await linesGone(database);
      await assertLedgerSound(database);
    },
    WITHIN * 2,
  );
});
