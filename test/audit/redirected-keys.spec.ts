import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { divergences } from '../support/ledger-cli.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

/**
 * Somebody with the password of the service's role has the key of a request name what another one did, and puts its row
 * back. No line of a file is done while no worker runs: that is when keys are made for them.
 */
let database: TestDatabase;
let api: Service;
let worker: Service | undefined;
let partner: TestPartner;
let own: string, to: string;
let session: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  api = await startService(database.url, { ROLE: 'api' });
  partner = await new OperatorApi(api.url).partner(['1000.00', '0.00']);
  [own, to] = partner.accounts as [string, string];
  session = await PartnerApi.login(api.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await database?.drop();
});

const sha = (text: string) => createHash('sha256').update(text).digest();
const placeOf = async (transaction: string) =>
  (await database.query('select partition, position from transaction where id = $1', [transaction]))[0]!;

it('the key of a request answers with nothing that another one did', async () => {
  const ids: string[] = [];
  for (const key of ['key-a', 'key-b']) ids.push((await session.transfer(to, '3.00', key)).body.data.id);
  const [a, b] = [await placeOf(ids[0]!), await placeOf(ids[1]!)];
  const moved = ({ position }: Record<string, unknown>, events: number) =>
    database.query('update idempotency set position = $1, events = $2 where id = $3', [
      position,
      events,
      sha(`${own}\nkey-b`),
    ]);
  // A process that has not read the rows yet takes them as they are now.
  await api.stop();
  api = await startService(database.url, { ROLE: 'api' });
  session = session.on(api.url);
  const again = () => session.transfer(to, '3.00', 'key-b');
  const batch = () =>
    session.post('/accounts/transfers/batch', {
      items: [{ idempotencyKey: 'key-b', refAccountCredit: to, transferAmount: '3.00' }],
    });

  await moved(a, 1);
  expect(await again()).toMatchObject({ status: 503 });
  expect(await batch()).toMatchObject({ status: 503 });
  expect(api.output()).toContain('THE LOG CONTRADICTS AN IDEMPOTENCY KEY');
  await moved(b, 1);
  await api.stop();
  api = await startService(database.url, { ROLE: 'api' });
  session = session.on(api.url);
  expect(await again()).toMatchObject({ status: 201, body: { data: { id: ids[1] } } });
  expect((await batch()).body.data.items).toMatchObject([{ replayed: true, data: { id: ids[1] } }]);
}, 60_000);

it('no line of a file is taken for paid, or refused, as a key that somebody made for it says', async () => {
  const decoy = await placeOf((await session.transfer(to, '1.00')).body.data.id);
  const files = new PayoutFiles(api.url, session.token);
  const upload = async (name: string) => (await files.upload(payoutCsv(2, name))).body.data.id as string;
  // The form of versions before needs no secret. Lines are numbered from 2.
  const planted: Buffer[] = [];
  const plant = async (file: string, request: string) => {
    const id = sha(`${own}\npayout-file ${file} 2`);
    planted.push(id);
    const row = [decoy.partition, id, sha(request), decoy.position];
    await database.query(
      'insert into idempotency (partition, id, request, position, events) values ($1, $2, $3, $4, 1)',
      row,
    );
  };
  const [taken, refused] = [await upload('taken'), await upload('refused')];
  await plant(taken, `payout-file ${taken} 2`);
  await plant(refused, 'another request');

  worker = await startService(database.url, { ROLE: 'worker' });
  await eventually(() => {
    const output = worker!.output();
    return (
      output.includes('THE LOG CONTRADICTS AN IDEMPOTENCY KEY') && output.includes('was used with another request')
    );
  });
  await database.query('delete from idempotency where id = any($1)', [planted]);
  // A new process knows nothing of them.
  await worker.stop();
  worker = await startService(database.url, { ROLE: 'worker' });
  for (const file of [taken, refused]) {
    const { counts } = await files.ended(file);
    expect([counts.registered + counts.completed, counts.error]).toEqual([2, 0]);
  }
  expect(await divergences(database, '--deep')).toEqual([]);
}, 90_000);
