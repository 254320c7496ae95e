import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PartnerApi } from '../support/api.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';

/** Each would keep the only slot for its turn, half a minute. */
const LEFT = 5;

let world: EfiWorld;
let service: Service;

beforeAll(async () => {
  world = await efiWorld('100.00');
  ({ service } = world);
}, 60_000);

afterAll(async () => {
  await service.stop();
  await world.stop();
});

async function startAt(psp: string): Promise<PartnerApi> {
  await service.stop();
  service = await startService(world.database.url, { ...world.settings, EFI_PSP: psp });
  await world.psp.callbacks({ to: service.url });
  return PartnerApi.login(service.url, world.partner.credentials);
}

async function payOut(api: PartnerApi, value: string): Promise<string> {
  const answer = await api.post('/accounts/pix/cashout', {
    payment: { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
    transaction: { orderId: 'pedido-1' },
    webhook: WEBHOOK,
  });
  return answer.body.data.transaction.id;
}

it('payouts that were begun over one PSP hold up none of the next one’s, and are ended by theirs', async () => {
  await world.psp.behave({ ends: 'hold' });
  const left: string[] = [];
  for (let i = 0; i < LEFT; i++) left.push(await world.payOut('1.00'));
  await eventually(async () => (await world.psp.sent()).length === 1);

  let api = await startAt('another');
  const stateOf = async (id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state;
  await world.psp.behave({ ends: 'REALIZADO', endsAfterMs: 0 });
  const id = await payOut(api, '2.00');
  await eventually(async () => (await stateOf(id)) === 'Completed', { within: 15_000 });
  expect(await Promise.all(left.map(stateOf))).toEqual(Array(LEFT).fill('Registered'));
  expect((await world.psp.sent()).map(({ valor }) => valor).sort()).toEqual(['1.00', '2.00']);
  expect(service.output()).toContain('work waits for an operator');

  api = await startAt(new URL(world.psp.baseUrl).host);
  await world.psp.endAll('REALIZADO');
  await world.database.query(`update work set due_at = now() where kind = 'pix-send-payment'`);
  await eventually(async () => (await Promise.all(left.map(stateOf))).every((state) => state === 'Completed'), {
    within: 60_000,
  });
}, 120_000);
