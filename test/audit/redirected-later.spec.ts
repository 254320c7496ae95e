import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { divergences } from '../support/ledger-cli.js';
import { MovingClock } from '../support/moving-clock.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';
import { changeRow } from '../support/tamper.js';
import { tellEvents } from '../support/told-events.js';

/**
 * Somebody with the password of the service's role changes what is for later, and puts it back when it is done. Nothing
 * is done while no worker runs: that is when it is changed.
 */
let clock: MovingClock;
let database: TestDatabase;
let api: Service;
let worker: Service | undefined;
let partner: TestPartner;
let session: PartnerApi;
/** Whose the money is, to whom it goes, and who is to lose and to get it instead. */
let own: string, to: string, victim: string;

const DAY_MS = 86_400_000;
const MARIA = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };
const MALLORY = { ispb: '99999008', branch: '0666', number: '6660666', digit: '6', type: 'CheckingsAccount' };
const webhook = { url: 'http://127.0.0.1:65535/hook' };

beforeAll(async () => {
  clock = await MovingClock.make();
  database = await createDatabase();
  api = await startService(database.url, { ...clock.settings, ROLE: 'api' });
  partner = await new OperatorApi(api.url).partner(['1000.00', '0.00', '1000.00']);
  [own, to, victim] = partner.accounts as [string, string, string];
  session = await PartnerApi.login(api.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await database?.drop();
  await clock?.remove();
});

const made = async (path: string, body: object) => (await session.post(path, body)).body.data;
const count = async (type: string) => (await database.query('select from event where type = $1', [type])).length;

/** Data of the events of a type, oldest first. */
async function told(type: string): Promise<any[]> {
  const rows = await database.query('select data from told.event where type = $1 order by position', [type]);
  return rows.map(({ data }) => data as unknown);
}

const cashOut = (account: object) => ({
  payment: { value: '10.00', recipient: { name: 'Maria Silva', cpf: '11144477735', account } },
  transaction: { orderId: `order-${Math.random()}` },
  webhook,
});

describe('what is done later, while rows are changed and put back,', () => {
  it('is what the events say: a transfer, the runs of a schedule, and the lines of a file', async () => {
    const startsOn = new Date(clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
    const transfer = await made('/accounts/transfer', {
      ...{ refAccountCredit: to, transferAmount: '10.00', scheduledFor: startsOn },
    });
    const monthly = (account: object) =>
      made('/accounts/schedules', { every: 'month', startsOn, count: 2, cashOut: cashOut(account) });
    const [schedule, mallorys] = [await monthly(MARIA), await monthly(MALLORY)];
    const files = new PayoutFiles(api.url, session.token);
    const file = (await files.upload(payoutCsv(3))).body.data;

    const [other] = await database.query('select makes from schedule where id = $1', [mallorys.id]);
    const putBack = [
      await changeRow(database, 'transaction', transfer.id, { counterparty_uid: victim, amount: '90000' }),
      await changeRow(database, 'schedule', schedule.id, { makes: other!.makes, account_uid: victim }),
      await changeRow(database, 'payout_file', file.id, { account_uid: victim }),
    ];
    await clock.advance(2 * DAY_MS);
    worker = await startService(database.url, { ...clock.settings, ROLE: 'worker' });
    // The file's lines are registered at once. Of what its row contradicts, nothing is done until it is put back.
    await eventually(async () => (await count('PayoutFileCompleted')) === 1);
    const refusals = [/made otherwise than it was scheduled/, /none that the schedule \S+ orders/];
    await eventually(() => refusals.every((refusal) => refusal.test(worker!.output())));
    expect(await count('TransferSettled')).toBe(0);
    for (const one of putBack) await one();
    await eventually(async () => (await count('ScheduleRunMade')) === 4 && (await count('TransferSettled')) === 1);

    await tellEvents(database);
    expect(await told('TransferSettled')).toMatchObject([{ sourceUid: own, destinationUid: to, amount: '1000' }]);
    const ordered = (await told('ScheduleCreated')).find(({ id }) => id === schedule.id);
    const runs = (await told('CashOutScheduled')).filter((run) => run.schedule.scheduleId === schedule.id);
    expect(runs.map(({ accountUid }) => accountUid)).toEqual([own, own]);
    expect(runs[1].recipient).toEqual(ordered.recipient);
    const lines = (await told('CashOutRegistered')).filter(({ payoutFile }) => payoutFile === file.id);
    expect(lines.map(({ accountUid }) => accountUid)).toEqual([own, own, own]);
  }, 90_000);

  it('goes on from where the log has it: no line of a file is left out, none is paid that was cancelled', async () => {
    await worker?.stop();
    const { token } = await PartnerApi.login(api.url, partner.credentials);
    const files = new PayoutFiles(api.url, token);
    const upload = async (lines: number, name: string) =>
      (await files.upload(payoutCsv(lines, name, '0.10'))).body.data.id as string;
    const [skipped, cancelled, stopped] = [await upload(601, 'skip'), await upload(2, 'pay'), await upload(2, 'stop')];
    const rolledBack = await upload(2, 'roll');
    for (const one of [cancelled, rolledBack]) expect((await files.cancel(one)).status).toBe(200);

    const putBack = [
      await changeRow(database, 'payout_file', skipped, { run: 2 }),
      await changeRow(database, 'payout_file', cancelled, { state: 'Running' }),
      await changeRow(database, 'payout_file', stopped, { state: 'Cancelled' }),
      // As it was before it was cancelled: its events up to there say the same.
      await changeRow(database, 'payout_file', rolledBack, { state: 'Running', version: 1 }),
    ];
    const before = [await count('PayoutFileLinesRun'), await count('CashOutRegistered')];
    worker = await startService(database.url, { ...clock.settings, ROLE: 'worker' });
    const refusals = [
      `${skipped}: its row has another run`,
      `${cancelled}: its row has`,
      `${stopped}: its row has`,
      `${rolledBack}: its row has`,
    ];
    await eventually(() => refusals.every((refusal) => worker!.output().includes(refusal)), { within: 20_000 });
    expect([await count('PayoutFileLinesRun'), await count('CashOutRegistered')]).toEqual(before);
    for (const one of putBack) await one();
    const ended = async (id: string) => {
      const { state, counts } = await files.ended(id);
      return [state, counts.registered + counts.completed, counts.cancelled];
    };
    expect(await ended(skipped)).toEqual(['Completed', 601, 0]);
    expect(await ended(cancelled)).toEqual(['Cancelled', 0, 2]);
    expect(await ended(rolledBack)).toEqual(['Cancelled', 0, 2]);
    expect(await ended(stopped)).toEqual(['Completed', 2, 0]);
  }, 90_000);

  it('waits while a key of personal data is gone: nobody is forgotten whom no event forgot', async () => {
    await worker?.stop();
    session = await PartnerApi.login(api.url, partner.credentials);
    const files = new PayoutFiles(api.url, session.token);
    const file = (await files.upload(payoutCsv(2, 'gone', '0.10'))).body.data.id;
    const scheduledFor = new Date(clock.now().getTime() + DAY_MS).toISOString();
    const { transaction, ...order } = cashOut(MARIA);
    const later = await made('/accounts/pix/cashout', { ...order, transaction: { ...transaction, scheduledFor } });
    const subjects = await database.query<{ subject: string }>(
      `select holder ->> 'subject' as subject from account where uid = $1
       union all select details -> 'recipient' ->> 'subject' from transaction where id = $2`,
      [own, later.transaction.id],
    );
    const names = subjects.map(({ subject }) => subject);
    const keys = await database.query('select * from subject_key where subject = any($1::uuid[])', [names]);
    expect(keys).toHaveLength(2);
    await database.query('delete from subject_key where subject = any($1::uuid[])', [names]);
    await clock.advance(2 * DAY_MS);
    worker = await startService(database.url, { ...clock.settings, ROLE: 'worker' });
    await eventually(() => worker!.output().split('the key is gone').length > 2);
    const waits = 'select state, (select state from payout_file where id = $2) as file from transaction where id = $1';
    const state = async () => (await database.query(waits, [later.transaction.id, file]))[0];
    expect(await state()).toEqual({ state: 'Scheduled', file: 'Running' });
    for (const { partition, subject, lookup, wrapped_key: wrapped } of keys) {
      await database.query('insert into subject_key values ($1, $2, $3, $4)', [partition, subject, lookup, wrapped]);
    }
    await eventually(async () => (await state())!.file === 'Completed' && (await state())!.state !== 'Scheduled');
    expect(['Registered', 'Completed']).toContain((await state())!.state);
  }, 90_000);

  it('leaves nothing for verify to find', async () => {
    expect(await divergences(database)).toEqual([]);
  }, 90_000);

  it('ends with its schedule: a run that the row leaves out, and one whose own row says that it does not wait', async () => {
    await worker?.stop();
    session = await PartnerApi.login(api.url, partner.credentials);
    const startsOn = new Date(clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
    const order = { every: 'month', startsOn, count: 2, transfer: { refAccountCredit: to, transferAmount: '10.00' } };
    const [hidden, kept] = [await made('/accounts/schedules', order), await made('/accounts/schedules', order)];
    const runOf = async (id: string) => {
      const [row] = await database.query('select runs from schedule where id = $1', [id]);
      return (row!.runs as { transactionId: string }[])[0]!.transactionId;
    };
    const run = await runOf(kept.id);
    await api.stop();
    const putBack = [
      await changeRow(database, 'schedule', hidden.id, { runs: [] }),
      await changeRow(database, 'transaction', run, { state: 'Completed' }),
    ];
    api = await startService(database.url, { ...clock.settings, ROLE: 'api' });
    const cancel = async ({ id }: { id: string }) =>
      (await call(api.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, { token: session.token })).status;
    expect(await cancel(hidden)).toBe(503);
    expect(await cancel(kept)).toBe(200);
    for (const one of putBack) await one();
    expect(await cancel(hidden)).toBe(200);
    const stateOf = (id: string) => database.query('select state from transaction where id = $1', [id]);
    expect(await stateOf(await runOf(hidden.id))).toEqual([{ state: 'Cancelled' }]);
    // Whether it waits is read from its row: verify tells of it, before it is paid and afterwards.
    expect(await stateOf(run)).toEqual([{ state: 'Scheduled' }]);
    const undone = { check: 'runs of cancelled schedules', subject: `transaction ${run}` };
    expect(await divergences(database)).toMatchObject([{ ...undone, found: 'Scheduled' }]);
    await clock.advance(2 * DAY_MS);
    worker = await startService(database.url, { ...clock.settings, ROLE: 'worker' });
    await eventually(async () => (await stateOf(run))[0]!.state === 'Completed');
    await worker.stop();
    expect(await divergences(database)).toMatchObject([{ ...undone, found: 'TransferSettled' }]);
  }, 90_000);
});
