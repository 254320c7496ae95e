import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { HeldLease, partitionOf } from '../../src/event-store/index.js';
import { CHUNK_LINES, CHUNKS_AT_ONCE } from '../../src/payout-files/domain/payout-file.js';
import { FileRunner } from '../../src/payout-files/file-runner.js';
import { LineRequests } from '../../src/payout-files/line-requests.js';
import { RUN_FILE } from '../../src/payout-files/payout-files.saga.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';

/** Two that run one file: one of them was overtaken, and the account gets money between their requests of a line. */

let service: InProcessOwning;
let operator: OperatorApi;
let requests: LineRequests;
let partner: TestPartner;
let files: PayoutFiles;
let id: string;

beforeAll(async () => {
  // Nothing runs by itself.
  service = await startWithDatabase({ ROLE: 'api' });
  await service.app.listen(0, '127.0.0.1');
  operator = new OperatorApi(await service.app.getUrl());
  requests = service.app.get(LineRequests, { strict: false });
}, 60_000);

afterAll(() => service.close());
afterEach(() => void delete (requests as Partial<LineRequests>).run);

/** Of an account without money: each line is refused. */
async function accepted(lines: number): Promise<void> {
  partner = await operator.partner(['0.00']);
  files = new PayoutFiles(operator.base, (await PartnerApi.login(operator.base, partner.credentials)).token);
  id = (await files.upload(payoutCsv(lines, 'wage', '10.00'))).body.data.id;
}

const fund = () => operator.post(`/accounts/${partner.accounts[0]}/credits`, { amount: '100.00', reason: 'Late' });

function run(lease = new HeldLease('in time')): Promise<unknown> {
  const item = { partition: partitionOf(id)!, id, kind: RUN_FILE, subject: id, payload: null, dueAt: new Date() };
  return service.app.get(FileRunner, { strict: false }).run({ ...item, attempts: 1, refusals: null, lease });
}

/** Who reads the results knows of each payout that was made, and pays no other line again. */
async function expectAllTold(): Promise<void> {
  const paid = await service.owner.query('select id from transaction where account_uid = $1 order by id', [
    partner.accounts[0],
  ]);
  const told = (await files.results(id)).flatMap(({ transactionId }) => transactionId ?? []);
  expect(told.sort()).toEqual(paid.map((row) => row.id));
  expect((await files.get(id)).body.data).toMatchObject({ state: 'Completed' });
  await assertLedgerSound(service.owner);
}

const gate = () => Promise.withResolvers<void>();

it('a line that was recorded as refused is not registered by a request that was made before, and waited', async () => {
  await accepted(CHUNK_LINES * CHUNKS_AT_ONCE + 1);
  const [asked, funded, done] = [gate(), gate(), gate()];
  const request = requests.run.bind(requests);
  let isFirst = true;
  requests.run = async (file, first, chunks) => {
    // The file goes on, and has its last line, until it is over.
    if (first > 0) await done.promise;
    if (first > 0 || !isFirst) return request(file, first, chunks);
    isFirst = false;
    asked.resolve();
    await funded.promise;
    return request(file, first, chunks).finally(done.resolve);
  };
  const overtaken = run();
  await asked.promise;
  const other = run();
  await eventually(async () => (await files.get(id)).body.data.counts.error === CHUNK_LINES * CHUNKS_AT_ONCE);
  await fund();
  funded.resolve();
  await Promise.allSettled([overtaken, other]);
  await expectAllTold();
});

it('a refusal is not recorded by one whose lease may be over: another may have registered the line', async () => {
  await accepted(1);
  const [refused, registered] = [gate(), gate()];
  const request = requests.run.bind(requests);
  let [isTaken, overtaken] = [false, Promise.resolve<unknown>(undefined)];
  requests.run = async (...lines) => {
    const isFirst = !isTaken;
    isTaken = true;
    const outcomes = await request(...lines);
    (isFirst ? refused : registered).resolve();
    await (isFirst ? registered.promise : Promise.allSettled([overtaken]));
    return outcomes;
  };
  overtaken = run(new HeldLease('late', [performance.now() - 4_000, Date.now()]));
  await refused.promise;
  await fund();
  await run();
  await expectAllTold();
});
