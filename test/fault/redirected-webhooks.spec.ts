import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { originKeyOf } from '../../src/webhooks/domain/delivery.js';
import { call, PartnerApi, type TestPartner } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { WebhookWorld } from '../support/webhook-world.js';

/**
 * Somebody with the password of the service's role, and a receiver, would have the sender decrypt what is another
 * partner's, and send it there. What is decrypted, and for whom, is what the log says, whatever rows say.
 */

const TAX_NUMBER = '11144477735';
const SECRET = 'a value for one receiver only';
const HEADER = { customHeaderName: 'X-Source', customHeaderValue: SECRET };

/** Their partner and receiver are the victim's. */
let world: WebhookWorld;
let thief: TestPartner;
let thiefs: PartnerReceiver;
let url: string;
/** Deliveries that have arrived where they belong: of a deposit, of an account, of the thief's test. */
let deposit: string, told: string, own: string;

beforeAll(async () => {
  // Of one partition: what is sealed in another cannot be opened in any case.
  world = await WebhookWorld.start({ LEDGER_PARTITIONS: '1', WEBHOOK_RETRY_SCHEDULE: '0s,100ms,100ms' });
  thief = await world.operator.partner(['0.00']);
  thiefs = await PartnerReceiver.start([thief.webhookSecret]);
  url = thiefs.url('/loot');
  deposit = await world.paidIn('/deposit', TAX_NUMBER, HEADER);
  await world.receiver.arrived('/deposit', 1);
  await register(world.receiver.url('/account'));
  await hold();
  told = (await world.receiver.arrived('/account', 1))[0]!.id;
  const session = await PartnerApi.login(world.service.url, thief.credentials);
  const asked = await session.post('/webhooks/test', { url, ...HEADER, customHeaderValue: 'the own one' });
  own = asked.body.data.deliveryId;
  await thiefs.arrived('/loot', 1);
  await Promise.all([deposit, told, own].map((id) => attemptsOf(id, 'Delivered')));
}, 60_000);

afterAll(async () => {
  await thiefs?.stop();
  await world?.stop();
});

let loot: number, kept: number;
beforeEach(() => void ([loot, kept] = [thiefs.receipts.length, world.receiver.receipts.length]));

const hold = () =>
  world.operator.post(`/accounts/${world.partner.accounts[0]}/holds`, {
    ...{ amount: '1.00', cause: 'Judicial', reference: '0001234-56.2026.8.26.0100' },
  });

async function register(to: string): Promise<void> {
  const path = `/partners-int/accounts/${world.partner.accounts[0]}/webhook`;
  const answer = await call(world.service.url, 'PUT', path, { token: world.session.token, body: { url: to } });
  expect(answer.status).toBe(200);
}

const ofDelivery = (id: string) => `(select d.partition, d.header_secret, d.material, d.account_uid, d.position,
  d.transaction_id, d.transaction_state, d.type, d.chain from webhook_delivery d where d.id = '${id}')`;

/** Makes deliveries due, changed so. */
async function makeDue(ids: readonly string[], change: Record<string, string> = {}): Promise<void> {
  const all = { status: `'Retrying'`, tries: '0', attempts: `'[]'`, due_at: 'now()', ...change };
  const set = Object.entries(all).map(([column, value]) => `${column} = ${value}`);
  await world.database.query(`update webhook_delivery set ${set.join(', ')} where id = any($1::uuid[])`, [ids]);
}

const toThief = () => ({
  partner_uid: `'${thief.uid}'`,
  url: `'${url}'`,
  lane: `'${originKeyOf(thief.uid, url)}'`,
  header_name: `'X-Source'`,
});

/** The attempts of a delivery, once it is in a status. */
const attemptsOf = (id: string, status: string) =>
  eventually(async () => {
    const found = 'select attempts from webhook_delivery where id = $1 and status = $2';
    return (await world.database.query<{ attempts: { error: string }[] }>(found, [id, status]))[0]?.attempts;
  });

async function isNotPrepared(id: string): Promise<void> {
  const attempts = await attemptsOf(id, 'Exhausted');
  expect(attempts.map(({ error }) => error)).toEqual(['NotPrepared', 'NotPrepared', 'NotPrepared']);
}

/** Changes a delivery, and puts it back once it was attempted. */
async function attack(id: string, change: Record<string, string>): Promise<void> {
  const before = `select to_jsonb(d) as row from webhook_delivery d where id = $1`;
  const [{ row } = {}] = await world.database.query<{ row: Record<string, unknown> }>(before, [id]);
  await makeDue([id], change);
  await isNotPrepared(id);
  const columns = Object.keys(row!).join(', ');
  await world.database.query(
    `update webhook_delivery d set (${columns}) = (
       select ${columns} from jsonb_populate_record(null::webhook_delivery, $2)) where id = $1`,
    [id, row],
  );
}

/** The thief's receiver works, and has got nothing but this. */
async function nothingWasStolen(): Promise<void> {
  await makeDue([own]);
  await thiefs.arrived('/loot', loot + 1);
  await attemptsOf(own, 'Delivered');
  expect(thiefs.receipts).toHaveLength(loot + 1);
  for (const { body, headers } of thiefs.receipts) {
    expect(headers['x-source']).toBe('the own one');
    expect(body).not.toContain(TAX_NUMBER);
    expect(JSON.parse(body).transactionOrderId).toBe('webhook-test');
  }
  expect(world.receiver.receipts).toHaveLength(kept);
}

describe('the receiver of another partner gets nothing of', () => {
  it('a deposit whose delivery names it', async () => {
    await attack(deposit, toThief());
    await nothingWasStolen();
  });

  it('a deposit whose delivery names its address alone', async () => {
    await attack(deposit, { url: `'${url}'` });
    await nothingWasStolen();
  });

  it('what an account is told of, where its delivery names it', async () => {
    await attack(told, { ...toThief(), header_secret: `(select header_secret from ${ofDelivery(own)})` });
    await nothingWasStolen();
  });

  it.each([
    ['the secret', ['header_secret']],
    ['the content', ['material']],
    ['all of the event', ['position', 'transaction_id', 'transaction_state', 'type', 'chain', 'material']],
    ['all of the event and its account', ['position', 'transaction_id', 'account_uid', 'chain', 'material']],
  ])('another delivery, of which it has %s', async (_what, columns) => {
    const taken = columns.map((column) => [column, `(select ${column} from ${ofDelivery(deposit)})`]);
    await attack(own, Object.fromEntries(taken) as Record<string, string>);
    await nothingWasStolen();
  });

  it('one that was added, of an event that was told', async () => {
    const id = randomUUID();
    const { partner_uid, url: to, lane, header_name } = toThief();
    await world.database.query(
      `insert into webhook_delivery (partition, id, position, chain, transaction_id, transaction_state, account_uid,
         partner_uid, lane, url, header_name, header_secret, material, status, due_at)
       select partition, $1, position, $1, transaction_id, transaction_state, account_uid, ${partner_uid}, ${lane}, ${to},
         ${header_name}, header_secret, material, 'Pending', now()
       from webhook_delivery where id = $2`,
      [id, deposit],
    );
    await isNotPrepared(id);
    await nothingWasStolen();
  });

  it('one of an event that was planted beyond the head', async () => {
    const id = randomUUID();
    const secret = `(select header_secret::text from ${ofDelivery(deposit)})`;
    await world.database.query(
      `insert into event (partition, position, event_id, stream, version, type, schema_version, time, data, metadata, leaf)
       select partition, position + 1000000, $1::uuid, 'webhook-test-' || $1::text, 1, type, schema_version, time,
         jsonb_set(data::jsonb, '{header,secretId}', to_jsonb(${secret}))::json, metadata, leaf
       from event where event_id = $2::uuid`,
      [id, own],
    );
    await world.database.query(
      `insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane, url,
         header_name, header_secret, material, status, due_at)
       select partition, $1::uuid, position + 1000000, $1::uuid, transaction_state, account_uid, partner_uid, lane, url, header_name,
         ${secret}::uuid, replace(material::text, $2::text, $1::text)::json, 'Pending', now()
       from webhook_delivery where id = $2::uuid`,
      [id, own],
    );
    await isNotPrepared(id);
    await nothingWasStolen();
  });

  it('an account whose address somebody added', async () => {
    await world.database.query(
      `insert into account_webhook (partition, id, account_uid, partner_uid, position, url, at)
       select partition, $1, account_uid, $2, position + 1, $3, at from account_webhook order by position desc limit 1`,
      [randomUUID(), thief.uid, url],
    );
    await hold();
    const { id } = await eventually(async () => {
      const found = `select id from webhook_delivery where url = $1 and type = 'hold.placed'`;
      return (await world.database.query<{ id: string }>(found, [url]))[0];
    });
    await isNotPrepared(id);
    await nothingWasStolen();
    await world.database.query('delete from account_webhook where url = $1', [url]);
  });
});

describe('of deliveries that are due together', () => {
  it('one that the log does not explain stays, and the others arrive: of payouts whose texts are carried, too', async () => {
    const webhook = { url: world.receiver.url('/payouts'), ...HEADER };
    const recipient = { name: 'Ana', cpf: TAX_NUMBER };
    const items = Array.from({ length: 10 }, (_, n) => ({
      ...{ idempotencyKey: `payout-${n}`, transaction: { orderId: `order-${n}` }, webhook },
      payment: { value: '1.00', key: { type: 'EMAIL', value: 'ana@example.com' }, recipient },
    }));
    const answer = await world.session.post('/accounts/pix/cashouts/batch', { items });
    expect(answer.status).toBe(200);
    const ids = (await world.receiver.arrived('/payouts', 10)).map(({ id }) => id);
    await Promise.all(ids.map((id) => attemptsOf(id, 'Delivered')));
    const carried = await world.database.query(
      `select from event where type = 'CashOutRegistered' and ahead is not null`,
    );
    expect(carried).toHaveLength(10);

    const { partner_uid, url: to, lane } = toThief();
    await world.database.query(
      `update webhook_delivery d set status = 'Retrying', tries = 0, attempts = '[]', due_at = now(),
         partner_uid = case when d.id = $2 then ${partner_uid}::uuid else d.partner_uid end,
         url = case when d.id = $2 then ${to} else d.url end, lane = case when d.id = $2 then ${lane}::uuid else d.lane end
       where d.id = any($1::uuid[])`,
      [ids, ids[3]],
    );
    await isNotPrepared(ids[3]!);
    const again = (await world.receiver.arrived('/payouts', 19)).slice(10);
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set(ids.filter((id) => id !== ids[3])));
    expect(again.every(({ verifiedBy, headers }) => verifiedBy === 0 && headers['x-source'] === SECRET)).toBe(true);
    kept = world.receiver.receipts.length;
    await nothingWasStolen();
  });
});
