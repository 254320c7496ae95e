import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldLease, LeasedWork, newId, partitionOf, WorkTable } from '../../src/event-store/index.js';
import { PIX_WORK } from '../../src/pix/workers/pix-work.js';
import { SendPaymentWorker } from '../../src/pix/workers/send-payment.worker.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { testAuthority } from '../support/certificates.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { EfiPsp, efiSettings } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { startInProcess } from '../support/in-process.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { MovingClock } from '../support/moving-clock.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';

/** A process that believes that it holds a lease, while another has taken it. */

const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const PUT = /^PUT \/v3\/gn\/pix\//;
/** Longer than a lease. */
const STALL_MS = 8_000;

let database: TestDatabase;
let psp: EfiPsp;
let settings: Record<string, string>;
let a: Service;
let b: Service;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  const authority = testAuthority('Efí authority');
  [psp, database] = await Promise.all([EfiPsp.start(authority), createDatabase()]);
  settings = efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789');
  [a, b] = await Promise.all([startService(database.url, settings), startService(database.url, settings)]);
  partner = await new OperatorApi(b.url).partner(['1000.00']);
  api = await PartnerApi.login(b.url, partner.credentials);
}, 90_000);

afterAll(async () => {
  a.process.kill('SIGCONT');
  await Promise.all([a.stop(), b.stop()]);
  await assertLedgerSound(database);
  await psp.close();
  await database.drop();
});

const stateOf = async (id: string): Promise<string> =>
  (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state;

async function payout(value: string): Promise<string> {
  const { body } = await api.post('/accounts/pix/cashout', {
    payment: {
      value,
      key: { type: 'EMAIL', value: 'maria@example.com' },
      recipient: { name: 'Maria Silva', cpf: '52998224725' },
    },
    transaction: { orderId: newId(0) },
    webhook: WEBHOOK,
  });
  return body.data.transaction.id;
}

async function dispatcher(): Promise<string> {
  return eventually(async () => {
    const sql = `select lease from work where kind = 'pix-sending-line' and leased_until > now()`;
    const [row] = await database.query<{ lease: string }>(sql);
    return row?.lease;
  });
}

describe('two processes that dispatch payments over a rail that takes few', () => {
  it('after the one that holds the lease was stopped, do not both: what one was refused, the other does not pay', async () => {
    const before = await dispatcher();
    // Whose lease it is, is not known from outside: the one that does not take it over is stopped first.
    a.process.kill('SIGSTOP');
    await sleep(STALL_MS);
    const [other, stalled] = (await dispatcher()) === before ? [a, b] : [b, a];
    if (stalled === b) {
      a.process.kill('SIGCONT');
      await sleep(1_000);
      b.process.kill('SIGSTOP');
      await sleep(STALL_MS);
      expect(await dispatcher()).not.toBe(before);
    }
    stalled.process.kill('SIGCONT');
    await sleep(500);
    api = await PartnerApi.login(other.url, partner.credentials);
    await psp.callbacks({ on: false });
    await psp.latency(300);
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      await psp.fail(PUT, { kind: 'status', status: 422, body: { nome: 'pagamento_negado' } });
      const id = await payout('1.00');
      await eventually(async () => (await stateOf(id)) !== 'Registered', { within: 15_000 });
      await sleep(1_000);
      await psp.forgetFaults();
      ids.push(id);
    }
    await psp.latency(0);
    expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'Error'));
    expect((await psp.asked(PUT)).map(({ status }) => status)).toEqual(ids.map(() => 422));
    expect(await psp.sent()).toEqual([]);
    expect(await api.balance(partner.accounts[0]!)).toMatchObject({ available: '1000.00', held: '0.00' });
  }, 120_000);

  it('one whose clock is ahead takes no lease that another holds', async () => {
    const clock = await MovingClock.make();
    await clock.jumpTo(20_000);
    const before = await dispatcher();
    const ahead = await startService(database.url, {
      ...settings,
      ...clock.settings,
    });
    try {
      for (let i = 0; i < 10; i += 1) {
        await sleep(300);
        expect(await dispatcher()).toBe(before);
      }
    } finally {
      await ahead.stop();
      await clock.remove();
    }
  }, 60_000);
});

describe('an attempt', () => {
  it('whose lease may be over sends nothing: another one may have ended the payment since it was read', async () => {
    const stopped = [a, b];
    for (const { process } of stopped) process.kill('SIGSTOP');
    const idle = await startInProcess(database, { ...settings, ROLE: 'api' });
    const web = await startService(database.url, { ...settings, ROLE: 'api' });
    try {
      api = await PartnerApi.login(web.url, partner.credentials);
      const id = await payout('5.00');
      const puts = (await psp.asked(PUT)).length;
      const item = {
        ...{ partition: partitionOf(id)!, id, kind: PIX_WORK.sendPayment, subject: id, payload: null },
        ...{ attempts: 1, refusals: null, dueAt: new Date() },
      };
      const worker = idle.app.get(SendPaymentWorker, { strict: false });
      const late = new HeldLease('late', [performance.now() - 4_000, Date.now()]);
      await expect(worker.perform({ ...item, lease: late })).resolves.toEqual({ retryAt: expect.any(Date) });
      // It is over while the PSP makes a token.
      await psp.latency(500);
      const soonLate = new HeldLease('soon late', [performance.now() - 3_700, Date.now()]);
      await expect(worker.perform({ ...item, lease: soonLate })).rejects.toThrow(
        'the lease of the attempt may be over',
      );
      await psp.latency(0);
      expect(await psp.asked(PUT)).toHaveLength(puts);
      await worker.perform({ ...item, lease: new HeldLease('in time') });
      expect(await psp.asked(PUT)).toHaveLength(puts + 1);
    } finally {
      await web.stop();
      await idle.close();
      for (const { process } of stopped) process.kill('SIGCONT');
    }
  }, 60_000);

  it('is certain of its lease for as long as it is renewed, and no longer', async () => {
    const owning = await startInProcess(database, { ...settings, ROLE: 'worker' });
    try {
      const [partition, kind] = [1, 'test-of-leases'];
      const told: boolean[] = [];
      const ended = Promise.withResolvers<void>();
      const worker = owning.app.get(WorkTable, { strict: false }).worker(kind, 1, async ({ id, lease }) => {
        await sleep(5_000);
        told.push(lease.isCertain);
        await database.query('update work set lease = gen_random_uuid() where id = $1', [id]);
        await sleep(5_000);
        told.push(lease.isCertain);
        ended.resolve();
        return 'done';
      });
      owning.app.get(LeasedWork, { strict: false }).register(worker);
      await database.query(
        `insert into work (partition, id, kind, subject, payload, due_at) values ($1, $2, $3, $2, 'null', now())`,
        [partition, newId(partition), kind],
      );
      await ended.promise;
      expect(told).toEqual([true, false]);
    } finally {
      await owning.close();
      await database.query(`delete from work where kind = 'test-of-leases'`);
    }
  }, 60_000);
});
