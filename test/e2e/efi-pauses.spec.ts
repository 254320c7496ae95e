import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { testAuthority } from '../support/certificates.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { EfiPsp, efiSettings } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';

const PAUSE_S = 8;

let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let api: PartnerApi;

beforeAll(async () => {
  const authority = testAuthority('Efí authority');
  [psp, database] = await Promise.all([EfiPsp.start(authority), createDatabase()]);
  const settings = efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789');
  service = await startService(database.url, { ...settings, EFI_PAYMENT_TURN_SECONDS: '2' });
  const partner = await new OperatorApi(service.url).partner(['100.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
  await eventually(() => psp.webhookUrl());
  await psp.callbacks({ to: service.url });
}, 60_000);
afterAll(async () => {
  await assertLedgerSound(database);
  await service.stop();
  await Promise.all([psp.close(), database.drop()]);
});

async function payOut(): Promise<string> {
  const answer = await api.post('/accounts/pix/cashout', {
    payment: {
      value: '1.00',
      key: { type: 'EMAIL', value: 'maria@example.com' },
      recipient: { name: 'Maria Silva', cpf: '52998224725' },
    },
    transaction: { orderId: 'pedido-1' },
    webhook: WEBHOOK,
  });
  return answer.body.data.transaction.id as string;
}

describe('a PSP that asks for a pause longer than the turn of a payout', () => {
  it('is not asked before it is over: neither for this payout nor for the next', async () => {
    const body = { type: '/x/BaldeFichasVazio' };
    await psp.fail(/^PUT \/v3\/gn\/pix\//, { kind: 'status', status: 429, retryAfter: PAUSE_S, body });
    const asked = performance.now();
    const ids = [await payOut(), await payOut()];
    const ended = ids.map((id) =>
      eventually(
        async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === 'Completed',
        { within: 25_000 },
      ).then(() => performance.now() - asked),
    );
    for (const after of await Promise.all(ended)) expect(after).toBeGreaterThan(PAUSE_S * 1000);
    const tries = await psp.asked(/^PUT \/v3\/gn\/pix\//);
    expect(tries.map(({ status }) => status)).toEqual([429, 201, 201]);
  });
});
