import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { makePaymentsLedger } from '../support/payments-ledger.js';
import { type Service, startService } from '../support/service.js';
import { asOwner } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;
let service: Service | undefined;
let token: string;

/** A service over a ledger as it is, for the tests of a `describe`. */
function asItIs(): void {
  beforeAll(async () => {
    ledger = await makePaymentsLedger();
    partition = ledger.partition;
    copy = await ledger.copy();
    token = await start();
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await copy?.drop();
  });
}

/** A ledger for each test, which changes it before it starts a service. */
function toBeChanged(): void {
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  copyForEach((given) => ({ ledger, copy, partition } = given), makePaymentsLedger);
}

async function start(): Promise<string> {
  service = await startService(copy.url, { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: '86400' });
  const auditor = { name: 'One', partnerUid: ledger.partner.uid };
  return (await new OperatorApi(service.url).post('/auditors', auditor)).token;
}

const get = (token: string, path: string) => call(service!.url, 'GET', `/audit${path}`, { token });
const typesOf = (ndjson: string) =>
  ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap(({ kind, type, partition: where }) => (kind === 'event' && where === partition ? [type] : []));

/** Of every event that the auditor is shown, page by page. */
async function typesSeen(token: string): Promise<string[]> {
  const types: string[] = [];
  let page = '';
  do {
    const { data }: { data: any } = (await get(token, `/events?partition=${partition}&limit=100${page}`)).body;
    types.push(...data.items.map(({ type }: any) => type as string));
    page = data.nextCursor && `&cursor=${encodeURIComponent(data.nextCursor as string)}`;
  } while (page);
  return types;
}

async function depositThatWasReturned(): Promise<string> {
  const [row] = await copy.query(`select id from transaction where type = 'CashIn' and state = 'Error'`);
  return row!.id;
}

describe("a partner's auditor", () => {
  asItIs();

  it('has every event of the partner: returns of its deposits too', async () => {
    const others = await copy.query(
      `select e.type from event e where e.partition = $1 and not exists (
         select from account a where a.partition = $1 and a.partner_uid <> $2
           and e.data::text like '%' || a.partner_uid || '%')
       order by e.position`,
      [partition, ledger.partner.uid],
    );
    const all = await typesSeen(token);
    expect(all).toEqual(others.map(({ type }) => type));
    expect(all).toContain('PaymentReturnSettled');
    const exported = (await get(token, '/export')).body as string;
    expect(typesOf(exported)).toContain('PaymentReturnSettled');
    const [settled] = await copy.query(`select position, data from event where type = 'PaymentReturnSettled'`);
    expect(settled!.data.partnerUid).toBe(ledger.partner.uid);
    const proof = await get(token, `/proofs/inclusion?partition=${partition}&position=${settled!.position}`);
    expect(proof.status).toBe(200);
  }, 30_000);

  it('sees no other partition but the registry’s', async () => {
    const other = 3 - partition;
    const partitions = (await get(token, '/partitions')).body.data.items.map((one: any) => one.partition);
    expect(partitions).toEqual([0, partition]);
    const checkpoints = (await get(token, '/checkpoints')).body.data.items.map((one: any) => one.partition);
    expect(checkpoints).toEqual([0, partition]);
    for (const path of [`/events?partition=${other}`, `/checkpoints/${other}`]) {
      expect((await get(token, path)).status).toBe(404);
    }
    expect((await get(token, `/proofs/consistency?partition=${other}&from=1`)).status).toBe(404);
    const { body, status } = await get(token, `/export?partition=${other}`);
    expect([status, body.error.details.reason]).toEqual([422, 'NothingCovered']);
  });

  it('has the events of a transaction that a replay has: with refunds and returns', async () => {
    const transactions = await copy.query(
      `select id from transaction t
       where type = 'CashIn' and state = 'Error' or exists (select from transaction where refund_of = t.id)`,
    );
    expect(transactions).toHaveLength(5);
    for (const { id } of transactions) {
      const items: any[] = [];
      for (let cursor = ''; ;) {
        const { data } = (await get(token, `/transactions/${id}/events?limit=2${cursor && `&cursor=${cursor}`}`)).body;
        items.push(...data.items);
        if (!(cursor = data.nextCursor ?? '')) break;
      }
      const { stdout } = await copy.ledger(['replay', 'transaction', id, '--format', 'json']);
      const replayed = JSON.parse(stdout).map(({ position }: any) => position);
      expect(items.map(({ position }) => position)).toEqual(expect.arrayContaining(replayed));
    }
    const { data } = (await get(token, `/transactions/${await depositThatWasReturned()}/events`)).body;
    expect(data.items.map(({ type }: any) => type)).toEqual([
      'CashInRegistered',
      'CashInErrored',
      'PaymentReturnSettled',
    ]);
  }, 60_000);

  it('is shown nothing of another by a row that somebody planted in the directory', async () => {
    const others = await copy.query(
      `select 'Account' as kind, partition, uid from account where partner_uid <> $1 and system is null
       union all select 'AccessKey', partition, id from access_key where partner_uid <> $1
       union all select 'Partner', partition, uid from partner where uid <> $1`,
      [ledger.partner.uid],
    );
    expect(new Set(others.map(({ kind }) => kind)).size).toBe(3);
    for (const { kind, partition, uid } of others) {
      const tail = uid.slice(-12);
      await copy.query(
        `insert into directory_word (partition, word, partner_uid, uid, kind) values ($1, decode($2, 'hex'), $3, $4, $5)`,
        [partition, tail, ledger.partner.uid, uid, kind],
      );
      const { status, body } = await get(token, `/search?q=${tail}`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ partners: [], accounts: [], accessKeys: [] });
    }
  });
});

describe('of a log that was changed', () => {
  toBeChanged();

  it("a partner's auditor has older events too, which do not name their partner", async () => {
    const event = `{"returnId":"D1","transactionId":"${await depositThatWasReturned()}"}`;
    await asOwner(copy, [
      `update event set data = $2 where partition = $1 and type = 'PaymentReturnSettled'`,
      [partition, event],
    ]);
    await asOwner(copy, [
      `insert into event select partition, position + 1, gen_random_uuid(), 'subject-x', 1, 'SubjectForgotten', 1, time, $3,
         $4, leaf from event where partition = $1 and position = $2`,
      [partition, ledger.size, '{"subject":"x"}', `{"actor":"operator","correlation":"${ledger.partner.uid}"}`],
    ]);
    token = await start();
    const types = await typesSeen(token);
    expect(types).toContain('PaymentReturnSettled');
    expect(types).toContain('SubjectForgotten');
  });

  it('an export fails if nothing is covered, and if the events are not the signed ones', async () => {
    const nothing = await copy.ledger(['export', '--partition', String(partition), '--from', '9999']);
    expect([nothing.code, nothing.stdout]).toEqual([2, '']);
    expect(nothing.stderr).toContain('No signed checkpoint covers any of it');
    await asOwner(copy, [
      `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json where partition = $1 and position = (
         select min(position) from event where type = 'TransferSettled' and partition = $1)`,
      [partition],
    ]);
    for (const args of [['export'], ['export', '--partner', ledger.partner.uid]]) {
      const broken = await copy.ledger(args);
      expect(broken.code).toBe(2);
      expect(broken.stdout).not.toContain('"kind":"end"');
    }
  });
});
