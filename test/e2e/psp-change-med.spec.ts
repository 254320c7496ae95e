import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { call, PartnerApi } from '../support/api.js';
import { type TestAuthority, testAuthority } from '../support/certificates.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { bcbSettings, ModelPsp } from '../support/model-psp.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

let authority: TestAuthority;
let world: EfiWorld;
let other: ModelPsp;
let service: Service;
let api: PartnerApi;

beforeAll(async () => {
  authority = testAuthority('PSP authority');
  [world, other] = await Promise.all([efiWorld('0.00'), ModelPsp.start(authority)]);
  ({ service, api } = world);
}, 60_000);

afterAll(async () => {
  await service.stop();
  await Promise.all([world.stop(), other.close()]);
});

async function startAt(settings: Record<string, string>): Promise<void> {
  await service.stop();
  service = await startService(world.database.url, settings);
  api = await PartnerApi.login(service.url, world.partner.credentials);
  await world.psp.callbacks({ to: service.url });
}
const startAtOther = () => startAt(bcbSettings(other, authority));

beforeEach(() => startAt(world.settings), 60_000);

/** A deposit that was reported at Efí. */
async function reported(original: string) {
  const asked = { payment: { value: { original } }, transaction: { orderId: 'pedido-1' }, webhook: WEBHOOK };
  const { id: deposit } = (await api.post('/accounts/pix/cashin', asked)).body.data.transaction;
  const { endToEndId } = await world.psp.pay(txidOf(deposit));
  expect(await world.psp.callBack(await world.psp.pix(endToEndId))).toBe(200);
  const idInfracao = await world.psp.report(endToEndId, Number(original));
  await timerRuns(world.database, 'med-sweep');
  const { id } = (await api.get('/med?limit=1')).body.data.items[0];
  return { id: id as string, idInfracao, endToEndId };
}

const infraction = async (id: string) => (await api.get(`/med/${id}`)).body.data;
const events = async (type: string) => (await world.database.query(`select from event where type = $1`, [type])).length;

/** The kind's items are due at once, and tried. */
async function tried(kind: string): Promise<void> {
  const items = await world.database.query<{ id: string; attempts: number }>(
    `update work set due_at = now() where kind = $1 returning id, attempts`,
    [kind],
  );
  expect(items).not.toEqual([]);
  await eventually(async () => {
    const now = await world.database.query<{ id: string; attempts: number }>(
      `select id, attempts from work where kind = $1 and lease is null`,
      [kind],
    );
    return items.every(({ id, attempts }) => now.some((one) => one.id === id && one.attempts > attempts));
  });
}

it('a defence that was not sent waits for the PSP that reported the case, and nobody decides about it meanwhile', async () => {
  const { id, idInfracao } = await reported('10.00');
  await world.psp.fail(/^POST .*defesa/, { kind: 'lost before' });
  await api.post(`/med/${id}/defence`, { text: 'Entregue' });
  await eventually(async () => (await world.psp.asked(/^POST .*defesa/)).length > 0);

  await startAtOther();
  await tried('med-answer');
  expect(await events('InfractionAnswered')).toBe(0);
  expect(service.output()).toContain('work waits for an operator');
  const decision = { token: ADMIN_TOKEN, body: { decision: 'Rejected' } };
  const decided = await call(service.url, 'POST', `/admin/med/${id}/decision`, decision);
  expect([decided.status, decided.body.error.details.reason]).toEqual([422, 'DecidedByRail']);
  expect(await infraction(id)).toMatchObject({ status: 'Defended' });

  await startAt(world.settings);
  await eventually(async () => (await world.psp.infraction(idInfracao)).defesa === 'Entregue', { within: 20_000 });
  await eventually(async () => (await events('InfractionAnswered')) === 1);
}, 120_000);

it('what a PSP that returns money itself agreed to is not returned over the next one', async () => {
  const { id, idInfracao } = await reported('20.00');
  await world.psp.analyse(idInfracao, 'ACEITA');
  await timerRuns(world.database, 'med-sweep');
  await eventually(async () => (await infraction(id)).status === 'Agreed');

  await startAtOther();
  await tried('med-case');
  expect(await infraction(id)).toMatchObject({ status: 'Agreed', pending: '0.00', returned: '0.00' });
  expect(await events('MedReturnRegistered')).toBe(0);
  expect(other.asked(/devolucao/)).toEqual([]);
}, 120_000);

it('another account at the PSP takes no defence of a case that the first one reported', async () => {
  const { id, idInfracao } = await reported('30.00');
  await world.psp.fail(/^POST .*defesa/, { kind: 'lost before' });
  await api.post(`/med/${id}/defence`, { text: 'Entregue' });
  await eventually(async () => (await world.psp.asked(/^POST .*defesa/)).length > 0);
  const answered = await events('InfractionAnswered');

  await startAt({ ...world.settings, EFI_PSP: 'conta-2' });
  await world.psp.forgetFaults();
  await world.psp.fail(/^POST .*defesa/, { kind: 'status', status: 422, body: { nome: 'infracao_nao_encontrada' } });
  await tried('med-answer');
  expect(await events('InfractionAnswered')).toBe(answered);
  expect(service.output()).toContain('work waits for an operator');

  await world.psp.forgetFaults();
  await startAt(world.settings);
  await eventually(async () => (await world.psp.infraction(idInfracao)).defesa === 'Entregue', { within: 20_000 });
  await eventually(async () => (await events('InfractionAnswered')) === answered + 1);
}, 120_000);
