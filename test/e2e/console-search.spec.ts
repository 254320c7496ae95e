import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { signIn, type SignedIn } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

const PERSON = '11144477735';

let edge: PixEdge;
let other: TestPartner;
let operator: SignedIn;
let limited: SignedIn;
/** A deposit whose order is a UUID, one whose order is 14 digits, one whose amount and order look alike. */
let byUuid: string;
let byDigits: string;
let byAmount: string;
let theirs: string;
let code: string;
let endToEndId: string;
let account: { uid: string; number: string; digit: string };
const orderUuid = randomUUID();

beforeAll(async () => {
  edge = await PixEdge.start({ LEDGER_PARTITIONS: '2', WEBHOOK_RETRY_SCHEDULE: '0s' });
  const api = new OperatorApi(edge.service.url);
  other = await api.partner(['50.00'], { name: 'Livraria Ipê & Filhos Ltda' });
  const them = await PartnerApi.login(edge.service.url, other.credentials);
  const deposit = async (from: PartnerApi, original: string, orderId: string) => {
    const { body } = await from.post('/accounts/pix/cashin', {
      payment: { value: { original } },
      transaction: { orderId, orderDescription: 'Pedido' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    });
    return body.data;
  };
  byUuid = (await deposit(edge.api, '7.00', orderUuid)).transaction.id;
  byDigits = (await deposit(edge.api, '8.00', '11222333000181')).transaction.id;
  const dear = await deposit(edge.api, '10045.90', 'cara-1');
  byAmount = dear.transaction.id;
  theirs = (await deposit(them, '9.00', 'deles-1')).transaction.id;
  const paid = await edge.cashIn('12.00');
  code = paid.qrCode;
  await edge.pay(paid.qrCode);
  await edge.reaches(paid.id, 'Completed');
  const [row] = await edge.database.query('select end_to_end_id from transaction where id = $1', [paid.id]);
  endToEndId = row!.end_to_end_id as string;
  await api.post(`/accounts/${edge.partner.accounts[0]}/access-keys`, { name: 'Caixa Centro' });
  const { uid } = await api.post(`/partners/${edge.partner.uid}/accounts`, {
    name: 'José Conceição',
    taxNumber: PERSON,
  });
  operator = await signIn(edge.service.url, ADMIN_TOKEN);
  const limitedTo = await api.post('/auditors', { name: 'One', partnerUid: edge.partner.uid });
  limited = await signIn(edge.service.url, limitedTo.token);
  account = await operator.get(`/admin/accounts/${uid}`);
  await eventually(async () => {
    const rows = await edge.database.query(
      `select h.position - s.position as lag from log_head h join subscription s using (partition)
       where s.consumer in ('transaction-search', 'directory')`,
    );
    return rows.length >= 4 && rows.every(({ lag }) => Number(lag) === 0);
  });
}, 60_000);
afterAll(() => edge?.stop());

async function hits(session: SignedIn, text: string): Promise<string[]> {
  const under = session === limited ? '/audit' : '/admin';
  const found = await session.get(`${under}/search?q=${encodeURIComponent(text)}`);
  return [
    ...found.transactions.flatMap(({ by, items }: any) => items.map(({ id }: any) => `transaction by ${by} ${id}`)),
    ...found.partners.map(({ by, uid }: any) => `partner by ${by} ${uid}`),
    ...found.accounts.map(({ by, uid }: any) => `account by ${by} ${uid}`),
    ...found.accessKeys.map(({ by, accessKey }: any) => `key by ${by} ${accessKey}`),
  ];
}

describe('what a person pastes is found in one step', () => {
  const cases = (): [text: string, hit: string][] => {
    const { uid, accounts, taxNumber, credentials } = edge.partner;
    const written = taxNumber.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
    const paid = `transaction by endToEndId `;
    return [
      [byUuid, `transaction by id ${byUuid}`],
      [byUuid.toUpperCase(), `transaction by id ${byUuid}`],
      [byUuid.replaceAll('-', ''), `transaction by id ${byUuid}`],
      [`"${byUuid}",`, `transaction by id ${byUuid}`],
      [`https://pix.exemplo.br/console/transactions/${byUuid}`, `transaction by id ${byUuid}`],
      [byUuid.slice(-12), `transaction by tail ${byUuid}`],
      [`…${byUuid.slice(-12)}`, `transaction by tail ${byUuid}`],
      [orderUuid, `transaction by orderId ${byUuid}`],
      [`orderId: ${orderUuid}`, `transaction by orderId ${byUuid}`],
      ['11222333000181', `transaction by orderId ${byDigits}`],
      ['cara-1', `transaction by orderId ${byAmount}`],
      ['10045.90', `transaction by amount ${byAmount}`],
      ['10.045,90', `transaction by amount ${byAmount}`],
      ['10,045.90', `transaction by amount ${byAmount}`],
      ['R$ 10.045,90', `transaction by amount ${byAmount}`],
      [endToEndId, paid],
      [` ${endToEndId}\n`, paid],
      [code, 'transaction by id '],
      [PAYER.taxNumber, 'transaction by taxNumber '],
      ['529.982.247-25', 'transaction by taxNumber '],
      [uid, `partner by id ${uid}`],
      [`…${uid.slice(-12)}`, `partner by tail ${uid}`],
      [taxNumber, `partner by taxNumber ${uid}`],
      [written, `partner by taxNumber ${uid}`],
      ['loja teste', `partner by name ${uid}`],
      ['IPE filhos', `partner by name ${other.uid}`],
      [accounts[1]!, `account by id ${accounts[1]}`],
      [accounts[1]!.slice(-12), `account by tail ${accounts[1]}`],
      [`${account.number}-${account.digit}`, `account by accountNumber ${account.uid}`],
      [`0001 / ${account.number}-${account.digit}`, `account by accountNumber ${account.uid}`],
      [account.number, `account by accountNumber ${account.uid}`],
      ['jose conceicao', `account by name ${account.uid}`],
      ['111.444.777-35', `account by taxNumber ${account.uid}`],
      [credentials.accessKey, `key by id ${credentials.accessKey}`],
      [credentials.accessKey.slice(-12), `key by tail ${credentials.accessKey}`],
      ['caixa centro', 'key by name '],
    ];
  };

  it('in every form, by the operator', async () => {
    expect(cases().length).toBeGreaterThanOrEqual(30);
    for (const [text, hit] of cases()) {
      const found = await hits(operator, text);
      expect({ text, found }).toEqual({ text, found: expect.arrayContaining([expect.stringContaining(hit)]) });
    }
  });

  it("by an auditor of one partner only where it is that partner's", async () => {
    for (const [text, hit] of cases()) {
      const found = await hits(limited, text);
      const isTheirs = hit.includes(other.uid);
      expect({ text, found: found.some((one) => one.includes(hit)) }).toEqual({ text, found: !isTheirs });
    }
    for (const text of [
      theirs,
      theirs.slice(-12),
      'deles-1',
      other.uid,
      other.accounts[0]!,
      other.credentials.accessKey,
    ])
      expect({ text, found: await hits(limited, text) }).toEqual({ text, found: [] });
  });

  it('with names beside what was found', async () => {
    const found = await operator.get(`/admin/search?q=${endToEndId}`);
    expect(found.transactions).toMatchObject([
      {
        by: 'endToEndId',
        items: [{ partnerName: 'Loja Teste Ltda', accountName: 'Conta 1', counterpartyName: PAYER.name }],
      },
    ]);
    const { items } = await operator.get(`/audit/names?uids=${account.uid},${other.accounts[0]},${randomUUID()}`);
    expect(items).toEqual(
      expect.arrayContaining([
        { uid: account.uid, name: 'José Conceição' },
        { uid: other.accounts[0], name: 'Conta 1' },
      ]),
    );
    expect(items).toHaveLength(2);
    const { items: visible } = await limited.get(`/audit/names?uids=${account.uid},${other.accounts[0]}`);
    expect(visible).toEqual([{ uid: account.uid, name: 'José Conceição' }]);
  });

  it('a text that is none, or too long, is refused by its name', async () => {
    for (const query of ['', '?q=', '?q=%20', `?q=${'a'.repeat(1_001)}`, '?q=a&q=b', '?q=%00']) {
      const answer = await operator.request('GET', `/admin/search${query}`);
      expect({ query, answer }).toMatchObject({
        query,
        answer: { status: 400, body: { error: { details: [{ path: 'q' }] } } },
      });
    }
  });
});

describe('the directory', () => {
  it('has no clear text, verifies against the log, and loses the rows of a forgotten person', async () => {
    const rows = await edge.database.query(`select encode(word, 'hex') as word, subject from directory_word`);
    expect(rows.length).toBeGreaterThan(20);
    expect(JSON.stringify(rows)).not.toMatch(/jose|conceicao|loja/i);
    const env = { ...edge.env, DATABASE_URL: edge.database.url, RETENTION_YEARS: '0' };
    expect(await runLedger(['verify'], env)).toMatchObject({ code: 0 });
    const forgotten = await runLedger(['forget', '--partner', edge.partner.uid, '--tax-number', PERSON], env);
    expect(forgotten).toMatchObject({ code: 0 });
    await eventually(async () => (await hits(operator, 'jose conceicao')).length === 0);
    expect(await hits(operator, account.uid.slice(-12))).toEqual([`account by tail ${account.uid}`]);
    await edge.database.query(`delete from directory_word where uid = $1`, [other.uid]);
    expect((await runLedger(['verify'], env)).code).toBe(1);
    expect(await runLedger(['rebuild', '--projection', 'directory'], env)).toMatchObject({ code: 0 });
    expect(await hits(operator, 'livraria ipê')).toEqual([`partner by name ${other.uid}`]);
    expect(await hits(operator, 'jose conceicao')).toEqual([]);
  });
});
