import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import type { TestDatabase } from '../support/database.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { MovingClock } from '../support/moving-clock.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import type { Service } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let clock: MovingClock;
let world: EfiWorld;
let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let other: TestPartner;
let third: TestPartner;
let fourth: TestPartner;

beforeAll(async () => {
  clock = await MovingClock.make();
  world = await efiWorld('0.00', clock.settings);
  ({ psp, database, service } = world);
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['0.00', '0.00']);
  [other, third] = [await operator.partner(['0.00']), await operator.partner(['0.00'])];
  fourth = await operator.partner(['0.00']);
}, 60_000);

afterAll(async () => {
  await world?.stop();
  await clock?.remove();
});

const login = ({ credentials }: TestPartner) => PartnerApi.login(service.url, credentials);

async function paidDeposit(api: PartnerApi, original: string): Promise<string> {
  const body = { payment: { value: { original } }, transaction: { orderId: 'pedido-1' }, webhook: WEBHOOK };
  const { id } = (await api.post('/accounts/pix/cashin', body)).body.data.transaction;
  const { endToEndId } = await psp.pay(txidOf(id));
  expect(await psp.callBack(await psp.pix(endToEndId))).toBe(200);
  await eventually(
    async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === 'Completed',
  );
  return endToEndId;
}

const balance = async (of: TestPartner) => {
  const uid = of.accounts[0]!;
  const [row] = await database.query('select available, held, blocked from account where uid = $1', [uid]);
  return row;
};

describe('what is blocked when ninety days are over', () => {
  let agreed: string;
  let untold: string;
  let ofAnotherAccount: string;
  let begun: string;
  let begunOf: string;

  beforeAll(async () => {
    const logins = await Promise.all([partner, other, third, fourth].map(login));
    const [api, another, last, waiting] = logins as [PartnerApi, PartnerApi, PartnerApi, PartnerApi];
    const paid = await paidDeposit(api, '10.00');
    await api.transfer(partner.accounts[1]!, '6.00');
    const report = await psp.report(paid, 10);
    const unanalysed = await paidDeposit(another, '5.00');
    await psp.report(unanalysed, 5);
    const forgotten = await paidDeposit(last, '7.00');
    await psp.report(forgotten, 7);
    begunOf = await paidDeposit(waiting, '8.00');
    await psp.report(begunOf, 8);
    await timerRuns(database, 'med-sweep');
    [agreed, untold, ofAnotherAccount, begun] = (await Promise.all(
      logins.map(async (one) => (await one.get('/med?limit=1')).body.data.items[0].id as string),
    )) as [string, string, string, string];
    await psp.forget(forgotten);
    await psp.giveBack(paid, '10.00');
    await psp.giveBack(unanalysed, '3.00');
    await psp.giveBack(begunOf, '6.00', 'EM_PROCESSAMENTO');
    await psp.analyse(report, 'ACEITA');
    await timerRuns(database, 'med-sweep');
    await eventually(async () => (await operator.get(`/med/${agreed}`)).status === 'Agreed');
    expect((await operator.get(`/med/${untold}`)).status).toBe('Open');
    expect(await balance(partner)).toEqual({ available: '0', held: '0', blocked: '400' });
    expect(await balance(other)).toEqual({ available: '0', held: '0', blocked: '500' });
    await clock.jumpTo(91 * DAY_MS);
  }, 60_000);

  const closed = (id: string) =>
    eventually(
      async () => {
        const known = await operator.get(`/med/${id}`);
        return known.status === 'Closed' && known;
      },
      { within: 20_000 },
    );

  it("is not released while the PSP's own return of more is not booked", async () => {
    expect(await closed(agreed)).toMatchObject({
      ...{ ending: 'PeriodEnded', agreed: '10.00', returned: '4.00', pending: '0.00' },
    });
    expect(await balance(partner)).toEqual({ available: '0', held: '0', blocked: '0' });
    await assertLedgerSound(database);
  }, 60_000);

  it('is not released where the PSP gave it back and told of no decision', async () => {
    expect(await closed(untold)).toMatchObject({
      ...{ ending: 'PeriodEnded', agreed: '5.00', returned: '3.00', pending: '0.00' },
    });
    expect(await balance(other)).toEqual({ available: '200', held: '0', blocked: '0' });
    await assertLedgerSound(database);
  }, 60_000);

  it('is not released while the PSP may still give it back', async () => {
    const asked = () => database.query(`select from work where id = $1 and refused_since is not null`, [begun]);
    await eventually(async () => (await asked()).length === 1, { within: 20_000 });
    expect((await operator.get(`/med/${begun}`)).status).toBe('Open');
    expect(await balance(fourth)).toEqual({ available: '0', held: '0', blocked: '800' });
    await psp.endGivingBack(begunOf);
    await database.query(`update work set due_at = now() where id = $1`, [begun]);
    expect(await closed(begun)).toMatchObject({ agreed: '8.00', returned: '6.00', pending: '0.00' });
    expect(await balance(fourth)).toEqual({ available: '200', held: '0', blocked: '0' });
    await assertLedgerSound(database);
  }, 60_000);

  it('is released two weeks later where the PSP does not have the payment, as it is of another account there', async () => {
    const tried = () =>
      database.query(`select from work where id = $1 and refused_since is not null and lease is null`, [
        ofAnotherAccount,
      ]);
    await eventually(async () => (await tried()).length === 1, { within: 20_000 });
    expect((await operator.get(`/med/${ofAnotherAccount}`)).status).toBe('Open');
    expect(await balance(third)).toEqual({ available: '0', held: '0', blocked: '700' });
    await assertLedgerSound(database);
    // The database says for how long, and its clock was not moved. It is due as after a question of two hours before.
    await database.query(
      `update work set refused_since = now() - interval '15 days', due_at = due_at + interval '14 days 22 hours' where id = $1`,
      [ofAnotherAccount],
    );
    await clock.jumpTo(106 * DAY_MS);
    expect(await closed(ofAnotherAccount)).toMatchObject({ ending: 'PeriodEnded', returned: '0.00', pending: '0.00' });
    expect(await balance(third)).toEqual({ available: '700', held: '0', blocked: '0' });
    await assertLedgerSound(database);
  }, 60_000);
});
