import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { requestText } from '../../src/platform/http/idempotency.js';
import { PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type LedgerCopy, makeLedger } from '../support/ledger-fixture.js';
import { PERSON, PersonWorld } from '../support/person-world.js';
import { type Service, startService } from '../support/service.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** What a version before stored of a request. */
const plainHash = (route: string, body: unknown) => sha256(requestText('POST', `/partners-int${route}`, body));

const CASH_IN = '/accounts/pix/cashin';
const TRANSFER = '/accounts/transfer';
const BATCH = '/accounts/transfers/batch';

const charge = (cpf: string) => ({
  webhook: { url: 'https://example.com/hook' },
  transaction: { orderId: 'order-1' },
  payment: { value: { original: '5.00' } },
  payer: { name: 'Maria da Silva', cpf },
});

describe('requests under an idempotency key', () => {
  let world: PersonWorld;
  afterEach(() => world?.stop());

  const forget = async () => {
    await eventually(async () => {
      await world.database.query(
        `update webhook_delivery set status = 'Stopped', due_at = null where status <> 'Stopped'`,
      );
      return (await world.ledger(['forget', '--tax-number', PERSON, '--no-wait'])).code === 0;
    });
  };

  /** Every row of every table, as text. */
  const dump = async () => {
    const tables = await world.database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'sandbox')`,
    );
    const all = await Promise.all(
      tables.map(({ name }) => world.database.query<{ row: string }>(`select t::text as row from ${name} t`)),
    );
    return all.flatMap((rows) => rows.map(({ row }) => row)).join('\n');
  };

  it('cannot be guessed from the log or a table, and are still told from others', async () => {
    world = await PersonWorld.start();
    const to = world.partner.accounts[0]!;
    const item = { refAccountCredit: to, transferAmount: '1.00', transferDescription: `For ${PERSON}` };
    const batch = { items: [{ idempotencyKey: 'item-1', ...item }] };
    const send = async () => {
      const answers = [
        await world.api.post(CASH_IN, charge(PERSON), { 'idempotency-key': 'charge-1' }),
        await world.api.post(TRANSFER, item, { 'idempotency-key': 'transfer-1' }),
        await world.api.post(BATCH, batch, { 'idempotency-key': 'batch-1' }),
      ];
      return answers.map(({ status, body, headers }) => ({
        status,
        body,
        replayed: headers.get('idempotent-replayed'),
      }));
    };
    const [charged] = await send();
    expect(charged).toMatchObject({ status: 201 });
    const { id } = charged!.body.data.transaction;
    expect((await world.api.post(`${CASH_IN}/${id}/cancel`)).status).toBe(200);
    await forget();

    const stored = await dump();
    const marks = await world.database.query(`select encode(request, 'hex') as request from idempotency`);
    expect(marks.length).toBeGreaterThanOrEqual(4);
    for (const hash of [plainHash(CASH_IN, charge(PERSON)), plainHash(TRANSFER, item), plainHash(BATCH, batch)]) {
      expect(stored).not.toContain(hash);
    }
    // Each is in its row and in its event, and nowhere else: equal requests under other keys have other hashes.
    for (const { request } of marks) expect(stored.split(request as string).length).toBe(3);
    // Another key of look-ups would take every repeated request for another one.
    await world.service.kill('SIGTERM');
    const key = Buffer.alloc(32, 9).toString('base64');
    const file = join(world.dataDir, 'new-key');
    await writeFile(file, key);
    expect(await world.ledger(['rotate-master-key', '--new-key-file', file])).toMatchObject({ code: 0 });
    await world.start({ MASTER_KEY: key });
    world.api = world.api.on(world.service.url);
    const again = await send();
    expect(again).toMatchObject([
      { status: 201, replayed: 'true', body: { data: { transaction: { id } } } },
      { status: 201, replayed: 'true' },
      { status: 200, body: { data: { items: [{ replayed: true }] } } },
    ]);
    const other = await world.api.post(CASH_IN, charge('11144477735'), { 'idempotency-key': 'charge-1' });
    expect(other.body.error.details.reason).toBe('IdempotencyKeyReuse');
    // Deliveries were stopped as an earlier version would have done it.
    const before = new Date().toISOString();
    const sealed = await world.ledger(['seal-deliveries', '--before', before], { MASTER_KEY: key });
    expect(sealed).toMatchObject({ code: 0, stdout: '1 deliveries are sealed as they are.\n' });
    expect(await world.ledger(['verify'], { MASTER_KEY: key })).toMatchObject({ code: 0 });
  }, 90_000);
});

describe('the log of a version that hashed requests without a key', () => {
  let service: Service | undefined;
  let copy: LedgerCopy | undefined;
  afterEach(async () => {
    await service?.stop();
    await copy?.drop();
  });

  it('verifies, and its requests are told from others as before', async () => {
    const ledger = await makeLedger();
    const { partition, partner, size } = ledger;
    copy = await ledger.copy();
    // The last transfer of the fixture, which no checkpoint seals.
    const body = { refAccountCredit: partner.accounts[1], transferAmount: '5.50' };
    const id = sha256(`${partner.accounts[0]}\nold-key`);
    const request = plainHash(TRANSFER, body);
    await copy.query(
      `update idempotency set id = decode($3, 'hex'), request = decode($4, 'hex') where partition = $1 and position = $2`,
      [partition, size, id, request],
    );
    await asOwner(copy, [
      `update event set metadata = jsonb_set(metadata::jsonb, '{idempotency}', $3)::json
       where partition = $1 and position = $2`,
      [partition, size, JSON.stringify({ id, request, events: 1 })],
    ]);
    await recomputeHashes(copy, partition);
    expect(await copy.verify()).toMatchObject({ code: 0 });

    service = await startService(copy.url, copy.env);
    const api = await PartnerApi.login(service.url, partner.credentials);
    const send = (sent: object) => api.post(TRANSFER, sent, { 'idempotency-key': 'old-key' });
    const again = await send(body);
    expect(again).toMatchObject({ status: 201 });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await send({ ...body, transferAmount: '5.51' });
    expect(other.body.error.details.reason).toBe('IdempotencyKeyReuse');
    const [head] = await copy.query('select position from log_head where partition = $1', [partition]);
    expect(Number(head!.position)).toBe(size);
  }, 60_000);
});
