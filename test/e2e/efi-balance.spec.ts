import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { RecordDay } from '../../src/pix/commands/record-day/record-day.command.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, type PartnerApi } from '../support/api.js';
import type { TestDatabase } from '../support/database.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import type { Service } from '../support/service.js';

let world: EfiWorld;
let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let api: PartnerApi;
let inside: InProcess;

beforeAll(async () => {
  world = await efiWorld('1000.00');
  ({ psp, database, service, api } = world);
  inside = await startInProcess(database, { ...world.settings, ROLE: 'api' });
}, 60_000);
afterAll(async () => {
  await inside.close();
  await world.stop();
});

const night = (day: string, isLast = true) => inside.app.get(CommandBus).execute(new RecordDay(day, 0, [], isLast));
const cases = async () => (await new OperatorApi(service.url).get('/reconciliation/cases')).items;

async function deposit(original: string): Promise<void> {
  const answer = await api.post('/accounts/pix/cashin', {
    payment: { value: { original } },
    transaction: { orderId: 'pedido-2' },
    webhook: WEBHOOK,
  });
  const { id } = answer.body.data.transaction;
  const { endToEndId } = await psp.pay(txidOf(id));
  expect(await psp.callBack(await psp.pix(endToEndId))).toBe(200);
  await world.completed(id);
}

async function payOut(value: string): Promise<void> {
  await world.completed(await world.payOut(value));
}

const moved = (count: number) =>
  eventually(async () => {
    const [row] = await database.query<{ told: number }>(`
      select count(*)::int as told from pix_movement m join transaction t on t.id = m.transaction_id
      where m.kind = 'PaymentOut' or t.details ->> 'feeTold' is not null`);
    return row!.told === count;
  });

describe("the balance at the PSP, and the ledger's", () => {
  it('move alike: by payments in both directions, less the fees that were notified', async () => {
    await deposit('100.00');
    await moved(1);
    await night('2099-01-01');
    await deposit('20.00');
    await payOut('10.50');
    await moved(3);
    await night('2099-01-02');
    await payOut('1.00');
    await moved(4);
    await night('2099-01-03');
    await night('2099-01-04');
    expect(await cases()).toEqual([]);
  }, 60_000);

  it('are a case where they do not, of the moment at which it was read', async () => {
    await psp.saldo('108.00');
    await night('2099-01-05');
    await psp.saldo('108.00');
    await night('2099-01-06');
    await night('2099-01-06');
    await night('2099-01-07');
    expect(await cases()).toMatchObject([
      { day: '2099-01-06', kind: 'Balance', rail: '108.00', ledger: '108.48', status: 'Open' },
    ]);
  });

  it('are compared over a night in which the PSP did not tell it', async () => {
    await psp.fail(/^GET .*saldo/, { kind: 'lost before' });
    await psp.fail(/^GET .*saldo/, { kind: 'lost before' });
    await psp.fail(/^GET .*saldo/, { kind: 'lost before' });
    await night('2099-01-08');
    await psp.saldo('90.00');
    await night('2099-01-09');
    await night('2099-01-10');
    expect((await cases())[0]).toMatchObject({ day: '2099-01-10', rail: '90.00', ledger: '108.00' });
  });

  it('are read once in a night that catches up on several days: what changed before it is still found', async () => {
    await night('2099-01-11');
    await psp.saldo('80.00');
    await night('2099-01-12', false);
    await night('2099-01-13', false);
    await night('2099-01-14');
    await night('2099-01-15');
    expect((await cases())[0]).toMatchObject({ day: '2099-01-15', rail: '80.00', ledger: '90.00' });
  });
});
