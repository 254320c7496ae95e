import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { type Answer, call } from '../support/api.js';
import { testAuthority } from '../support/certificates.js';
import { EfiPsp, efiSettings } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';

/** `npm run tour:efi`: the README's five minutes over Efí, whose stand-in is the PSP. Each step is printed. */

const folder = await mkdtemp(join(tmpdir(), 'payments-tour-'));
const DATA_DIR = join(folder, 'data');
const authority = testAuthority('Efí authority');
const psp = await EfiPsp.start(authority);
const receiver = await PartnerReceiver.start([]);
const { PATH, HOME } = process.env;
const inherited = { PATH: PATH!, HOME: HOME ?? '/', DATA_DIR };
const service = spawn(process.execPath, ['dist/main.js'], {
  env: {
    ...inherited,
    ...efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-notifications-address-1234'),
    PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(service, 'exit');
let output = '';
service.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
const printed = (pattern: RegExp) => eventually(() => pattern.exec(output) ?? undefined, { within: 60_000 });

const say = (line: string) => process.stdout.write(`${line}\n`);
const title = (step: string) => say(`\n== ${step}`);
function must(holds: unknown, what: string): void {
  if (!holds) throw new Error(`the tour expected ${what}`);
  say(`   ✓ ${what}`);
}

try {
  const [, base] = await printed(/Listening on (\S+?)\. /);
  const [, accessKey, secret] = await printed(/access key +(\S+)\n +secret +(\S+)/);
  const url = base!;
  await psp.callbacks({ to: url });
  const ask = async (method: string, path: string, token?: string, body?: unknown, key?: string): Promise<Answer> => {
    say(`   ${method} /partners-int${path}${body ? ` ${JSON.stringify(body)}` : ''}`);
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const answer = await call(url, method, `/partners-int${path}`, { token, body, headers });
    say(`   ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const reaches = (token: string, id: string, state: string) =>
    eventually(
      async () => {
        const { body } = await call(url, 'GET', `/partners-int/accounts/transactions/${id}`, { token });
        return body.data.transaction.state === state && body.data;
      },
      { within: 20_000 },
    );
  const notified = (id: string) => eventually(() => receiver.at('/hook').find(({ body }) => body.includes(id)));

  title('The PSP: address for notifications, settings of the account');
  must(
    await eventually(() => psp.webhookUrl()),
    `an address at the PSP: ${(await psp.webhookUrl())!.replace(/[^/]+$/, '…')}`,
  );
  await eventually(async () => (await psp.config()).pix.chaves);
  must(true, 'callbacks that tell of payers and fees');

  title('Log in');
  const login = await call(url, 'POST', '/partners-int/login', { body: { accessKey, secret } });
  const token: string = login.body.data.token;
  must(login.status === 200, 'a token');
  const accounts = await ask('GET', '/accounts', token);
  const [, second] = accounts.body.data.items;

  title('A transfer, sent twice under one key');
  const transfer = { refAccountCredit: second.uid, transferAmount: '10.50' };
  const once1 = await ask('POST', '/accounts/transfer', token, transfer, 'tour-1');
  const twice = await ask('POST', '/accounts/transfer', token, transfer, 'tour-1');
  must(once1.body.data.id === twice.body.data.id, 'one transfer');
  must(twice.headers.get('idempotent-replayed') === 'true', 'the second answer to say so');
  const tooMuch = await ask('POST', '/accounts/transfer', token, { ...transfer, transferAmount: '9999.00' });
  must(tooMuch.body.error.details.reason === 'CustomerAccountInsufficientFunds', 'a refusal of more than there is');

  title('A payout by key');
  const payout = {
    payment: {
      value: '25.00',
      key: { type: 'EMAIL', value: 'ana@example.com' },
      recipient: { name: 'Ana Lima', cpf: '52998224725' },
    },
    transaction: { orderId: 'order-7' },
    webhook: { url: receiver.url('/hook') },
  };
  const { body: ordered } = await ask('POST', '/accounts/pix/cashout', token, payout, 'tour-2');
  const { id } = ordered.data.transaction;
  const paid = await reaches(token, id, 'Completed');
  const [sent] = await psp.sent();
  must(paid.transaction.endToEndId === sent!.endToEndId, `the PSP's EndToEndId: ${sent!.endToEndId}`);
  must(sent!.body.favorecido.cpf === '52998224725', "the recipient's document at the PSP, beside the key");
  must(await notified(id), 'a webhook of it');
  const both = {
    ...payout,
    payment: {
      ...payout.payment,
      recipient: {
        ...payout.payment.recipient,
        account: { ispb: '60701190', branch: '0001', number: '1234567', digit: '8' },
      },
    },
  };
  const refused = await ask('POST', '/accounts/pix/cashout', token, both);
  must(refused.body.error.details.reason === 'KeyAccountCheckNotAvailable', 'a refusal of a key with an account');

  title('A deposit, paid at another bank by who was named');
  const deposit = {
    payment: { value: { original: '12.34' }, payer: { name: 'Ana Lima', cpf: '52998224725' } },
    transaction: { orderId: 'order-8' },
    webhook: { url: receiver.url('/hook') },
  };
  const { body: charged } = await ask('POST', '/accounts/pix/cashin', token, deposit);
  const charge: string = charged.data.transaction.id;
  const payer = { nome: 'Ana Lima', cpf: '52998224725', codigoBanco: '60701190' };
  const received = await psp.pay(txidOf(charge), { payer });
  await psp.callBack(await psp.pix(received.endToEndId));
  const credited = await reaches(token, charge, 'Completed');
  must(credited.transaction.endToEndId === received.endToEndId, 'the deposit credited');
  must(credited.payment.payerTold.ispb === '60701190', "the payer's bank, by the PSP's word");
  must(await notified(charge), 'a webhook of it');

  title('The history, checked from nothing');
  const verify = spawn(process.execPath, ['--enable-source-maps', 'dist/cli.js', 'verify'], {
    env: inherited,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(verify, 'exit')) as [number];
  must(code === 0, 'nothing that diverges');
} finally {
  service.kill('SIGTERM');
  await ended;
  await receiver.stop();
  await psp.close();
  await rm(folder, { recursive: true, force: true });
}
