import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { DOCUMENT, type Schema } from '../support/api-document.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { csvOf, FILES, payoutCsv, payoutRow, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let token: string;
let files: PayoutFiles;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  const { credentials } = await new OperatorApi(service.url).partner(['1000.00']);
  ({ token } = await PartnerApi.login(service.url, credentials));
  files = new PayoutFiles(service.url, token);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const faultsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error.faults,
  ...body.error.details.map(({ code, info }: any) => [info.line, info.column, code]),
];

const jsonLine = (value: unknown, orderId: string, more: object = {}, order: object = {}) =>
  JSON.stringify({
    payment: { value, recipient: { cpf: '52998224725' }, key: { type: 'EMAIL', value: 'a@b.example' }, ...more },
    transaction: { orderId, ...order },
  });

describe('a file with faults', () => {
  it('is answered with all of them, by line and column, and leaves nothing', async () => {
    const text = csvOf(
      payoutRow('a'),
      payoutRow('b').replace('52998224725', '52998224726'),
      payoutRow('e', '1;00'),
      payoutRow('c', '0.00'),
      `${payoutRow('d')},more`,
      payoutRow(''),
    );
    expect(faultsOf(await files.upload(text))).toEqual([
      400,
      5,
      [3, 'cpf', expect.any(String)],
      [4, 'value', 'InvalidFormat'],
      [5, 'value', 'PaymentValueMustBeGreaterThanZero'],
      [6, null, 'InvalidFormat'],
      [7, 'orderId', expect.any(String)],
    ]);
    expect(await database.query('select 1 as one from payout_file_input')).toEqual([]);
    const { body } = await call(service.url, 'GET', FILES, { token });
    expect(body.data.items).toEqual([]);
  });

  it('names an order that is there twice', async () => {
    expect(faultsOf(await files.upload(csvOf(payoutRow('a'), payoutRow('a'))))).toEqual([
      400,
      1,
      [3, 'orderId', 'Duplicate'],
    ]);
  });

  it('names an order that is there twice for a person, though not in the same bytes', async () => {
    const orders = ['sal\u00e1rio-1', 'sala\u0301rio-1'];
    const answer = await files.upload(csvOf(...orders.map((order) => payoutRow(order))));
    expect(faultsOf(answer)).toEqual([400, 1, [3, 'orderId', 'Duplicate']]);
    const text = ['wage-1', 'wage-1 '].map((order) => jsonLine('1.00', order)).join('\n');
    const inJson = await files.upload(text, { 'content-type': 'application/x-ndjson' });
    expect(faultsOf(inJson)).toEqual([400, 1, [2, 'transaction.orderId', 'Duplicate']]);
  });

  it.each([
    ['without a line', 'value,cpf,orderId\n', [null, null, 'Required']],
    ['that is empty', '', [1, null, 'Required']],
    ['without a column that must be there', 'value,cpf\n1.00,52998224725\n', [1, 'orderId', 'Required']],
    ['with a quote in the wrong place', csvOf('1.00,"Maria" Silva,1,1,1,1,1,a,b'), [2, null, 'InvalidCsv']],
    ['with a line that never ends', csvOf(`1.00,"${'x'.repeat(40_000)}`), [2, null, 'InvalidCsv']],
  ])('%s', async (_name, text, fault) => {
    expect(faultsOf(await files.upload(text))).toEqual([400, 1, fault]);
  });

  it('that is not UTF-8', async () => {
    const latin = Buffer.from(csvOf(payoutRow('a').replace('Maria', 'Jos\u00e9')), 'latin1');
    expect(faultsOf(await files.upload(latin))).toEqual([400, 1, [null, null, 'InvalidFormat']]);
  });

  it('lists a hundred faults and counts all of them', async () => {
    const { status, body } = await files.upload(payoutCsv(250, 'x', '0.00'));
    expect([status, body.error.details.length, body.error.faults]).toEqual([400, 100, 250]);
  });

  it('is told in the members of its lines, where these are JSON', async () => {
    const coded = jsonLine('1.00', 'b', { qrCode: '0002' });
    const later = jsonLine('1.00', 'c', {}, { scheduledFor: new Date(Date.now() + 3_600_000).toISOString() });
    const text = [jsonLine('1,00', 'a'), '{"payment":', '[1]', coded, later].join('\n');
    const answer = await files.upload(text, { 'content-type': 'application/x-ndjson' });
    expect(faultsOf(answer)).toEqual([
      400,
      5,
      [1, 'payment.value', 'InvalidFormat'],
      [2, null, 'InvalidJson'],
      [3, null, 'InvalidJson'],
      [4, 'payment.qrCode', 'NotAllowed'],
      [5, 'transaction.scheduledFor', 'NotAllowed'],
    ]);
  });

  it('that pays more than an account can have is refused, dry run or not, and breaks up no commit', async () => {
    const text = payoutCsv(9_224, 'most', '9999999999999.99');
    const fault = [400, 1, [null, 'value', 'AmountAboveMaximum']];
    const dryRun = await call(service.url, 'POST', `${FILES}?dryRun=true`, {
      ...{ token, body: text, headers: { 'content-type': 'text/csv' } },
    });
    expect([faultsOf(dryRun), faultsOf(await files.upload(text))]).toEqual([fault, fault]);
    expect(service.output()).not.toContain('a batch failed');
  }, 60_000);

  it('ends at a hundred thousand lines', async () => {
    const row = payoutRow('#').replace('Fornecedor', '');
    const text = csvOf(...Array.from({ length: 100_001 }, (_, i) => row.replace('#', `l-${i}`)));
    expect(faultsOf(await files.upload(text))).toEqual([400, 1, [100_002, null, 'TooMany']]);
  }, 60_000);
});

describe('the API document', () => {
  const { post } = DOCUMENT.paths[FILES];
  const results = DOCUMENT.paths[`${FILES}/{id}/results`].get.responses[200].content;

  it('has an example of each type of file that is accepted', async () => {
    for (const [type, { schema }] of Object.entries<Schema>(post.requestBody.content)) {
      const { status } = await files.upload(schema.example as string, { 'content-type': type });
      expect([type, status]).toEqual([type, 201]);
    }
  });

  it('has an example of the results in each format', async () => {
    const { body } = await files.upload(payoutCsv(1, 'documented'));
    await files.ended(body.data.id);
    const [csv] = await files.results(body.data.id, 'csv');
    const [line] = await files.results(body.data.id);
    expect(Object.keys(results)).toEqual(['text/csv', 'application/x-ndjson']);
    expect(results['text/csv'].example.split('\r\n')[0]).toBe(csv);
    expect(Object.keys(JSON.parse(results['application/x-ndjson'].example))).toEqual(Object.keys(line));
  });
});
