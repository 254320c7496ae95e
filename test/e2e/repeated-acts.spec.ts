import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, nextCnpj, OperatorApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

let database: TestDatabase;
let services: Service[];
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  services = [await startService(database.url), await startService(database.url)];
  partner = await new OperatorApi(services[0]!.url).partner(['100.00']);
}, 60_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database?.drop();
});

/** An act at one process, and its repetition at the other. */
async function twice(method: string, path: string, body?: unknown): Promise<[Answer, Answer]> {
  const at = ({ url }: Service) => call(url, method, `/admin${path}`, { token: ADMIN_TOKEN, body });
  return [await at(services[0]!), await at(services[1]!)];
}

describe('an operator whose answer was lost, and who repeats the act at another process,', () => {
  it('learns which partner the first one registered', async () => {
    const [first, again] = await twice('POST', '/partners', { name: 'Loja Nova Ltda', taxNumber: nextCnpj() });
    expect(first.status).toBe(201);
    expect(again.status).toBe(409);
    expect(again.body.error.details).toMatchObject({
      reason: 'TaxNumberAlreadyRegistered',
      uid: first.body.data.uid,
    });
  });

  it('rotates a webhook secret twice, and the one that the partner knows signs for its 24 hours', async () => {
    const [first, again] = await twice('POST', `/partners/${partner.uid}/webhook-secret/rotate`);
    expect([first.status, again.status]).toEqual([201, 201]);
    const [row] = await database.query('select webhook_secrets from partner where uid = $1', [partner.uid]);
    expect(row!.webhook_secrets.map((one: any) => one.validUntil)).toEqual([
      null,
      again.body.data.previousValidUntil,
      first.body.data.previousValidUntil,
    ]);
  });

  it('does not put off a raise that waits', async () => {
    const path = `/accounts/${partner.accounts[0]}/limits`;
    await twice('PATCH', path, { payment: '10.00' });
    const [first, again] = await twice('PATCH', path, { payment: '20.00' });
    expect(first.body.data.payment.next.limit).toBe('20.00');
    expect(again.body.data.payment).toEqual(first.body.data.payment);
  });

  it('has a contact’s id, and closes nothing twice', async () => {
    const account = `/accounts/${partner.accounts[0]}`;
    const contact = { name: 'Ana Lima', taxNumber: '52998224725', limits: { payment: '5.00' } };
    const [first, again] = await twice('POST', `${account}/contacts`, contact);
    expect(again.status).toBe(409);
    expect(again.body.error.details.id).toBe(first.body.data.id);
    const removed = await twice('POST', `${account}/contacts/${first.body.data.id}/remove`);
    expect(removed.map(({ status }) => status)).toEqual([200, 404]);
    for (const act of ['deactivate', 'activate']) {
      const answers = await twice('POST', `${account}/${act}`, { reason: 'Teste' });
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[1].body).toEqual(answers[0].body);
    }
  });
});
