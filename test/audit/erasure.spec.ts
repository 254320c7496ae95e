import { describe, expect, it } from '@jest/globals';
import { newId, partitionOf } from '../../src/event-store/index.js';
import { encodeDynamicBrCode } from '../../src/pix/domain/values/br-code.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { call, PartnerApi } from '../support/api.js';
import { codeOfOurKey } from '../support/code-of-our-key.js';
import { eventually } from '../support/eventually.js';
import { divergences } from '../support/ledger-cli.js';
import { PERSON, personForAll, type PersonWorld } from '../support/person-world.js';

let world: PersonWorld;

/** The last of them forgets the person. */
const onePerson = () => personForAll((given) => (world = given));

describe('ledger forget', () => {
  onePerson();

  it('finds nobody by an unknown tax number', async () => {
    const { code, stderr } = await world.ledger(['forget', '--tax-number', '11144477735']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody') });
  }, 30_000);

  it('refuses during the retention period, and names its end', async () => {
    const { code, stderr } = await world.ledger(['forget', '--tax-number', PERSON], { RETENTION_YEARS: '10' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/must be kept until \d{4}-\d\d-\d\d/);
    expect((await world.show()).name).toBe('Maria da Silva');
  }, 30_000);

  it('destroys nothing while the rows by which two people are found are swapped', async () => {
    const keyOf = async (account: string) => {
      const [row] = await world.database.query(
        `select k.subject, k.lookup from subject_key k
         join account a on a.partition = k.partition and k.subject = (a.holder ->> 'subject')::uuid where a.uid = $1`,
        [account],
      );
      return row as { subject: string; lookup: Buffer };
    };
    const [person, other] = [await keyOf(world.account), await keyOf(world.partner.accounts[0]!)];
    const set = ({ subject }: { subject: string }, lookup: Buffer) =>
      world.database.query('update subject_key set lookup = $2 where subject = $1', [subject, lookup]);
    const swap = async (a: Buffer, b: Buffer) => {
      await set(person, Buffer.alloc(32));
      await set(other, b);
      await set(person, a);
    };
    await swap(other.lookup, person.lookup);
    const { code, stderr } = await world.ledger(['forget', '--tax-number', PERSON]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`${other.subject}, found by`) });
    await swap(person.lookup, other.lookup);
    expect(await world.database.query(`select from event where type = 'SubjectForgotten'`)).toEqual([]);
    expect(await keyOf(world.account)).toEqual(person);
    expect(await keyOf(world.partner.accounts[0]!)).toEqual(other);
  }, 30_000);

  it('makes all personal data unreadable, while balances, proofs and amounts stay valid', async () => {
    const before = await world.show();
    expect(before).toMatchObject({ name: 'Maria da Silva', taxNumber: PERSON });
    const lines = await eventually(async () => (await world.statement()).length === 2 && world.statement());
    expect(lines.map(({ description }) => description)).toEqual(['From Maria', 'Maria']);

    const { code, stdout } = await world.ledger(['forget', '--tax-number', '529.982.247-25']);
    expect(stdout).toContain('is forgotten');
    expect(code).toBe(0);

    const after = await eventually(
      async () => {
        const now = await world.show();
        return now.name === '' && now;
      },
      { within: 2_000 },
    );
    expect(after).toEqual({ ...before, name: '', taxNumber: '', branch: '', number: '', digit: '' });
    const amounts = lines.map((line) => ({ ...line, description: '' }));
    expect(await eventually(async () => (await world.statement())[0].description === '' && world.statement())).toEqual(
      amounts,
    );
    // Another subject of the same partner is as it was.
    expect((await world.api.get(`/accounts/${world.partner.accounts[0]}`)).body.data.name).toBe('Conta 1');
    const events = await world.database.query(
      `select data ->> 'partnerUid' as partner from event where type = 'SubjectForgotten'`,
    );
    expect(events).toEqual(Array(2).fill({ partner: world.partner.uid }));
    // The account is still in use: money moves, and later events about it have a new subject.
    expect((await world.api.transfer(world.partner.accounts[0]!, '1.00')).status).toBe(201);
    expect(await world.ledger(['verify'])).toMatchObject({ code: 0 });
    expect(await world.ledger(['forget', '--tax-number', PERSON])).toMatchObject({ code: 2 });
  }, 30_000);
});

describe('ledger forget, of whom somebody keeps copies in the database,', () => {
  onePerson();

  it('leaves what verify names: a key in another partition, and the words of a name that were put back', async () => {
    const { database } = world;
    const home = partitionOf(world.account)!;
    const [person] = await database.query(`select holder ->> 'subject' as subject from account where uid = $1`, [
      world.account,
    ]);
    const words = () =>
      database.query('select * from directory_word where partition = $1 and subject = $2', [home, person!.subject]);
    await eventually(async () => (await words()).length > 0);
    await database.query(`
      insert into subject_key select 3 - partition, subject, lookup, wrapped_key from subject_key
      where partition = ${home} and subject = '${person!.subject}'`);
    await database.query(`create table kept as select * from directory_word where subject = '${person!.subject}'`);
    const subject = `subject ${person!.subject}`;
    const copied = { check: 'subject keys', subject, field: 'key' };
    expect(await divergences(database)).toMatchObject([copied]);
    expect(await world.ledger(['forget', '--tax-number', PERSON])).toMatchObject({ code: 0 });
    await eventually(async () => (await words()).length === 0);
    await database.query('insert into directory_word select * from kept');
    await database.query('drop table kept');
    const named = { check: 'rows of directory', subject: `directory ${world.account}`, field: 'word' };
    const found = await divergences(database);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([copied, named].map((one) => expect.objectContaining(one))));
  }, 30_000);
});

describe('ledger forget, while transactions are open,', () => {
  onePerson();

  it('refuses after it has waited for them, when a new event began another retention period', async () => {
    const [transfer] = await world.database.query('select partition, id from transaction where account_uid = $1', [
      world.account,
    ]);
    await world.database.query('alter table event disable trigger all');
    await world.database.query(`update event set time = time - interval '20 years'`);
    await world.database.query(`update log_head set time = time - interval '20 years' where position > 0`);
    await world.database.query('alter table event enable trigger all');
    await world.database.query(
      `insert into webhook_delivery (partition, id, position, chain, transaction_id, transaction_state, account_uid,
         partner_uid, lane, url, material, status)
       values ($1, $2, 1, $2, $2, 'Completed', $3, $3, $3, 'https://example.com', '{}', 'Pending')`,
      [transfer!.partition, transfer!.id, world.account],
    );
    const waiting = world.ledger(['forget', '--tax-number', PERSON], { RETENTION_YEARS: '10' });
    // Other suites have databases on the same server.
    const looked = `select from pg_stat_activity where datname = current_database() and query like '%as deliveries'`;
    await eventually(async () => (await world.database.query(looked)).length > 0, { within: 30_000 });
    expect((await world.api.transfer(world.partner.accounts[0]!, '1.00')).status).toBe(201);
    await world.database.query(`update webhook_delivery set status = 'Stopped'`);
    expect(await waiting).toMatchObject({ code: 2, stderr: expect.stringMatching(/waiting.*must be kept until/s) });
    expect((await world.show()).name).toBe('Maria da Silva');
  }, 60_000);

  it('waits for them', async () => {
    const created = await world.api.post('/accounts/pix/cashin', {
      webhook: { url: 'https://example.com/hook' },
      transaction: { orderId: 'order-1' },
      payment: { value: { original: '5.00' } },
      payer: { name: 'Maria da Silva', cpf: PERSON },
    });
    expect(created.status).toBe(201);
    const id = created.body.data.transaction.id;
    const refused = await world.ledger(['forget', '--tax-number', PERSON, '--no-wait']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('1 open transactions');
    const waiting = world.ledger(['forget', '--tax-number', PERSON]);
    expect((await world.api.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(200);
    // Its delivery would be retried for days: the operator stops it, whenever it comes.
    let over = false;
    void waiting.then(() => (over = true));
    await eventually(
      async () => {
        await world.database.query(
          `update webhook_delivery set status = 'Stopped', due_at = null where status <> 'Stopped'`,
        );
        return over;
      },
      { within: 30_000, every: 200 },
    );
    expect(await waiting).toMatchObject({ code: 0 });
  }, 60_000);
});

describe('ledger forget, of a partner who holds accounts too,', () => {
  onePerson();

  it('destroys neither key while anything is open about the other', async () => {
    const api = await PartnerApi.login(world.service.url, world.partner.credentials);
    const created = await api.post('/accounts/pix/cashin', {
      webhook: { url: 'https://example.com/hook' },
      transaction: { orderId: 'order-1' },
      payment: { value: { original: '5.00' } },
    });
    expect(created.status).toBe(201);
    const forget = ['forget', '--tax-number', world.partner.taxNumber, '--no-wait'];
    const refused = await world.ledger(forget);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('1 open transactions') });
    expect(await world.database.query('select from forgotten_subject')).toEqual([]);
    expect((await api.post(`/accounts/pix/cashin/${created.body.data.transaction.id}/cancel`)).status).toBe(200);
    // Its delivery comes in a moment, and an attempt that is under way has it retried.
    const { stdout } = await eventually(
      async () => {
        await world.database.query(`update webhook_delivery set status = 'Stopped', due_at = null`);
        const ran = await world.ledger(forget);
        return ran.code === 0 && ran;
      },
      { within: 30_000 },
    );
    expect(stdout.match(/is forgotten/g)).toHaveLength(2);
  }, 60_000);
});

describe('ledger forget, of who paid for no transaction of ours,', () => {
  onePerson();

  it('destroys the keys under which they are in the log, and nobody else’s', async () => {
    const payers = ['11144477735', '11222333000181', '11144477735'];
    for (const taxNumber of payers) {
      const payer = { name: 'Ana', taxNumber, ispb: '00000000', branch: '0001', number: '1', digit: '2' };
      const body = { qrCode: codeOfOurKey('5.00'), payer };
      expect((await call(world.service.url, 'POST', '/sandbox/pix/payments', { body })).status).toBe(201);
    }
    const [ana, other] = payers as [string, string];
    const keyed = async () =>
      (
        await world.database.query(`
          select k.subject is not null as readable from event e
          left join subject_key k on k.partition = e.partition and k.subject = (e.data->'payer'->>'subject')::uuid
          where e.type = 'UnmatchedPaymentReceived' order by e.position`)
      ).map(({ readable }) => readable);
    expect(await eventually(async () => (await keyed()).length === 3 && keyed())).toEqual([true, true, true]);
    const ofPartner = ['forget', '--tax-number', ana, '--partner', world.partner.uid];
    expect(await world.ledger(ofPartner)).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody') });
    const kept = await world.ledger(['forget', '--tax-number', ana], { RETENTION_YEARS: '10' });
    expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining('must be kept until') });
    const done = await world.ledger(['forget', '--tax-number', ana]);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/(of no partner is forgotten\n.*){2}/) });
    expect(await keyed()).toEqual([false, true, false]);
    expect(await world.ledger(['forget', '--tax-number', other])).toMatchObject({ code: 0 });
    expect(await world.ledger(['verify'])).toMatchObject({ code: 0 });
  }, 60_000);
});

describe('ledger forget, which ended in the middle,', () => {
  onePerson();

  /** After the key is destroyed, and before partition 0 has it. */
  async function refuseItsWord(): Promise<void> {
    await world.database.query(`
      create function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'the end of forget'; end $$`);
    await world.database.query(`
      create trigger refused before insert on event for each row
      when (new.partition = 0 and new.type = 'SubjectForgotten') execute function refuse()`);
  }
  const allowItsWord = () => world.database.query('drop function refuse() cascade');

  it('completes it for who paid for no transaction of ours, and is of no partner', async () => {
    const txid = txidOf(newId(partitionOf(world.account)!, Date.now() - 120_000));
    const location = `pix.exemplo.br/pix/payload/${txid}`;
    await world.database.query(
      `insert into sandbox.charge (txid, location, amount, expires_at, status)
       values ($1, $2, 600, now() + interval '1 h', 'Open')`,
      [txid, location],
    );
    const qrCode = encodeDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'SAO PAULO', amount: 600n });
    const taxNumber = '11144477735';
    const payer = { name: 'Ana', taxNumber, ispb: '00000000', branch: '0001', number: '1', digit: '2' };
    const body = { qrCode, payer };
    expect((await call(world.service.url, 'POST', '/sandbox/pix/payments', { body })).status).toBe(201);
    await refuseItsWord();
    const forget = (...of: string[]) => world.ledger(['forget', '--tax-number', taxNumber, ...of]);
    expect((await forget()).code).not.toBe(0);
    await allowItsWord();
    const told = () =>
      world.database.query(`select partition from event where type = 'SubjectForgotten' order by partition`);
    expect(await told()).toEqual([{ partition: partitionOf(world.account) }]);

    const ofPartner = ['--partner', world.partner.uid];
    expect(await forget(...ofPartner)).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody') });
    expect(await forget()).toMatchObject({ code: 0, stdout: expect.stringContaining('of no partner was forgotten') });
    expect(await told()).toEqual([{ partition: 0 }, { partition: partitionOf(world.account) }]);
    expect(await world.ledger(['verify'])).toMatchObject({ code: 0 });
  }, 30_000);

  it('completes, when it is repeated, what ended after the key was destroyed and before caches were told', async () => {
    // Shown from the facts of the account, which are in the service's memory from then on.
    const shown = async () =>
      (await world.api.get('/accounts/transactions')).body.data.items[0].transaction.accountNumber;
    const { number, digit } = await world.show();
    expect(await shown()).toBe(number + digit);
    await refuseItsWord();
    const forget = () => world.ledger(['forget', '--tax-number', PERSON]);
    expect((await forget()).code).not.toBe(0);
    await eventually(async () => (await world.show()).name === '');
    expect(await shown()).toBe(number + digit);
    await allowItsWord();

    expect(await forget()).toMatchObject({ code: 0, stdout: expect.stringContaining('caches are told now') });
    const events = await world.database.query(
      `select partition, data ->> 'partnerUid' as partner, data ->> 'partition' as key from event
       where type = 'SubjectForgotten' and data ->> 'partnerUid' is not null order by partition`,
    );
    const home = partitionOf(world.account);
    const told = { partner: world.partner.uid, key: String(home) };
    expect(events).toEqual([
      { partition: 0, ...told },
      { partition: home, ...told },
    ]);
    await eventually(async () => (await shown()) === '', { within: 2_000 });
    expect(await world.ledger(['verify'])).toMatchObject({ code: 0 });
    // Then nothing is left to do.
    expect(await forget()).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody') });
  }, 30_000);
});
