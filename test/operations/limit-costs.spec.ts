import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { alike, payout } from '../support/payout-limits.js';
import { cpfOf } from '../support/people.js';
import { cashOutBody, withMember } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';
import { StatementRecorder } from '../support/statement-recorder.js';

/** What limits cost, in statements. No other process is beside this one: all that is sent is sent for its requests. */
let database: TestDatabase;
let recorder: StatementRecorder;
let service: Service;
let operator: OperatorApi;

beforeAll(async () => {
  database = await createDatabase();
  recorder = await StatementRecorder.start(database.url);
  service = await startService(recorder.url, { ROLE: 'api', LIMIT_RAISE_DELAY_SECONDS: '0' });
  operator = new OperatorApi(service.url);
});
afterAll(async () => {
  await service?.stop();
  await recorder?.stop();
  await database?.drop();
});

it('a batch to payees whom nobody has paid before has their rows found in a few round trips, for all of them', async () => {
  const { accounts, credentials } = await operator.partner(['1000.00']);
  await operator.patch(`/accounts/${accounts[0]}/limits`, { payee: alike('1.50') });
  const items = Array.from({ length: 200 }, (_, i) => ({
    idempotencyKey: `new-${i}`,
    // Each of a hundred twice.
    ...withMember(cashOutBody.key('1.00'), 'payment.recipient.cpf', cpfOf(String(100_100_001 + (i % 100)))),
  }));
  const api = await PartnerApi.login(service.url, credentials);
  await payout(api, '1.00');
  // For a second after a single command, requests of many are cut into commits that a slow machine makes small.
  await sleep(1_100);
  const before = recorder.roundTrips.length;
  const answer = await api.post('/accounts/pix/cashouts/batch', { items });
  const trips = recorder.roundTrips.slice(before).filter((application) => application === 'payments lane').length;
  expect(answer.body.data.counts).toEqual({ done: 100, error: 100 });
  const reasons = answer.body.data.items.slice(100).map(({ error }: any) => error.details.reason);
  expect([...new Set(reasons)]).toEqual([expect.stringMatching(/^Payee(Day|Night)LimitExceeded$/)]);
  expect(trips).toBeLessThanOrEqual(8);
  await assertLedgerSound(database);
});

describe('a payout', () => {
  const costOf = async (limits?: object, contact?: object) => {
    const { accounts, credentials } = await operator.partner(['10.00']);
    if (limits) await operator.patch(`/accounts/${accounts[0]}/limits`, limits);
    if (contact) await operator.post(`/accounts/${accounts[0]}/contacts`, contact);
    const api = await PartnerApi.login(service.url, credentials);
    await payout(api, '1.00');
    const before = recorder.executed.length;
    expect((await payout(api, '1.00')).status).toBe(201);
    const since = recorder.executed.slice(before);
    return since.filter(({ application }) => application === 'payments lane').map(({ name }) => name);
  };
  const usual = [
    ...['subject-key-load', 'begin', 'log-move-head', 'log-insert-events-one'],
    ...['account-update-one', 'transaction-insert-one', 'commit'],
  ];

  it('costs the same without limits and with them: not a row is read, not a statement sent for them', async () => {
    expect(await costOf()).toEqual(usual);
    expect(await costOf({ ...alike('9.00'), month: '9.00', payoutsPerHour: 9 })).toEqual(usual);
  });

  it('costs a row of the payee where that has a limit, one of the contact where there are contacts, and else none', async () => {
    const more = (names: readonly (string | undefined)[]) => names.filter((name) => !usual.includes(name!));
    expect(await costOf({ own: alike('9.00'), others: alike('9.00') })).toEqual(usual);
    expect(more(await costOf({ payee: alike('9.00') }))).toEqual(['payee-uses-update-one']);
    const contact = { name: 'Maria', taxNumber: '11144477735', limits: { day: '9.00' } };
    expect(more(await costOf(undefined, contact))).toEqual(['secure-contact-update-one']);
  });
});
