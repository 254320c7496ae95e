import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as sdk from 'sdk-node-apis-efi';
import { newId } from '../../src/event-store/index.js';
import type { Config, EfiSettings } from '../../src/platform/config/index.js';
import { ApiPixClient } from '../../src/pix/rails/bcb/api-pix-client.js';
import { Devolucoes } from '../../src/pix/rails/bcb/devolucoes.js';
import { MutualTls } from '../../src/pix/rails/bcb/mutual-tls.js';
import { TokenSource } from '../../src/pix/rails/bcb/token-source.js';
import { wantedConfig } from '../../src/pix/rails/efi/account-config.js';
import { efiDialect } from '../../src/pix/rails/efi/dialect.js';
import { SentList } from '../../src/pix/rails/efi/sent-list.js';
import { SentPayments } from '../../src/pix/rails/efi/sent-payments.js';
import type { PaymentInstruction } from '../../src/pix/rails/pix-rail.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { attempt } from '../support/attempt.js';
import { type TestAuthority, type TestCertificate, testAuthority } from '../support/certificates.js';
import { EFI_HOST, EfiPsp } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { CLIENT } from '../support/model-psp.js';
import { pixVectors } from '../support/pix-vectors.js';
import { PSP_KEY } from '../support/model-psp-books.js';

/** That the stand-in is a fair one: Efí's own SDK makes each call of the rail's, and its schemas judge the answers. */

const { createConnection } = Agent.prototype as unknown as { createConnection: (...given: any[]) => unknown };
let authority: TestAuthority;
let psp: EfiPsp;
let certificate: TestCertificate;
let http: MutualTls;
let client: ApiPixClient;
let theirs: sdk.EfiPay;
let payments: SentPayments;
let list: SentList;
let devolucoes: Devolucoes;

beforeAll(async () => {
  authority = testAuthority('Efí authority');
  psp = await EfiPsp.start(authority);
  await psp.behave({ reading: 'sdk', ends: 'hold' });
  certificate = authority.issue('partner-payments');
  const host = psp.baseUrl;
  const efi = {
    baseUrl: `${host}/v2`,
    tokenUrl: `${host}/oauth/token`,
    sendUrl: `${host}/v3/gn`,
    ownUrl: `${host}/v2/gn`,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    clientCertificate: certificate.cert,
    clientKey: certificate.key,
    authorities: authority.cert,
    timeoutMs: 2_000,
    queryDays: 5,
    lookUpLagMs: 1_000,
  } as EfiSettings;
  const config = { efi, pixKey: PSP_KEY } as Config;
  const dialect = efiDialect({ skipMtlsCheck: false });
  http = new MutualTls(efi);
  client = new ApiPixClient(http, new TokenSource(http, efi, dialect), efi, dialect);
  payments = new SentPayments(client, config);
  list = new SentList(client, config);
  devolucoes = new Devolucoes(client, dialect, efi);
  // The SDK knows its own hosts alone: they are turned to the stand-in below TLS.
  Object.assign(Agent.prototype, {
    createConnection(this: Agent, options: any, ...more: unknown[]) {
      expect(options.host).toBe(EFI_HOST);
      const there = { host: '127.0.0.1', port: psp.port, ca: authority.cert, servername: EFI_HOST };
      return createConnection.call(this, { ...options, ...there }, ...more);
    },
  });
  theirs = new sdk.EfiPay({
    sandbox: true,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    certificate: Buffer.from(certificate.cert).toString('base64'),
    pemKey: Buffer.from(certificate.key).toString('base64'),
    cert_base64: true,
  });
});

afterAll(async () => {
  Object.assign(Agent.prototype, { createConnection });
  await http.close();
  await psp.close();
});

const ours = (path: string, query?: Record<string, string>) =>
  client.call({ operation: path, method: 'GET', path, ...(query && { query }) });
const own = (path: string) => client.call({ operation: path, method: 'GET', base: `${psp.baseUrl}/v2/gn`, path });
const interval = () => ({
  inicio: new Date(Date.now() - 3_600_000).toISOString(),
  fim: new Date(Date.now() + 60_000).toISOString(),
});
const freshId = () => txidOf(newId(1));
const instruction = (): PaymentInstruction => ({
  paymentId: freshId(),
  amount: 1_234n,
  key: { type: 'EMAIL', value: 'maria@example.com' },
  payee: { name: 'Maria', taxNumber: '52998224725' },
  payer: {} as PaymentInstruction['payer'],
});

describe("the stand-in, by the PSP's own SDK", () => {
  it('keeps an address for notifications', async () => {
    const webhookUrl = 'https://pay.example.com/pix/notifications/secret';
    const put = await theirs.pixConfigWebhook({ chave: PSP_KEY }, { webhookUrl });
    expect(sdk.PixConfigWebhookResponseSchema.parse(put)).toMatchObject({ webhookUrl });
    const found = sdk.PixDetailWebhookResponseSchema.parse(await theirs.pixDetailWebhook({ chave: PSP_KEY }));
    expect(found).toMatchObject({ webhookUrl, chave: PSP_KEY });
    expect(await ours(`/webhook/${PSP_KEY}`)).toMatchObject({ webhookUrl });
  });

  it('makes, shows and removes a charge, and shows its payment and refund', async () => {
    const txid = freshId();
    const body = {
      calendario: { expiracao: 3_600 },
      devedor: { nome: 'Maria', cpf: '52998224725' },
      valor: { original: '10.00' },
      chave: PSP_KEY,
    };
    const made = await theirs.pixCreateCharge({ txid }, body);
    sdk.PixCreateChargeResponseSchema.parse(made);
    const { endToEndId } = await psp.pay(txid);
    const found = await theirs.pixDetailCharge({ txid });
    sdk.PixDetailChargeResponseSchema.parse(found);
    expect(await ours(`/cob/${txid}`)).toEqual(found);

    const returnId = 'D1234567820261120140400101234567';
    const refund = await theirs.pixDevolution({ e2eId: endToEndId, id: returnId }, { valor: '1.00' });
    sdk.PixDevolutionResponseSchema.parse(refund);
    await eventually(async () => (await devolucoes.query({ returnId, endToEndId })).status === 'Settled');
    const told = await theirs.pixDetailDevolution({ e2eId: endToEndId, id: returnId });
    sdk.PixDetailDevolutionResponseSchema.parse(told);
    expect(await ours(`/pix/${endToEndId}/devolucao/${returnId}`)).toEqual(told);

    const received = await theirs.pixDetailReceived({ e2eId: endToEndId });
    sdk.PixDetailReceivedResponseSchema.parse(received);
    expect(await ours(`/pix/${endToEndId}`)).toEqual(received);
    const page = await theirs.pixReceivedList(interval());
    sdk.PixListReceivedResponseSchema.parse(page);
    expect(page).toMatchObject({ pix: [{ endToEndId }] });

    const other = freshId();
    await client.call({ operation: 'PUT cob', method: 'PUT', path: `/cob/${other}`, body });
    const removed = await theirs.pixUpdateCharge({ txid: other }, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    sdk.PixUpdateChargeResponseSchema.parse(removed);
  });

  it("keeps the account's settings, tells its balance, and finds payments by who paid", async () => {
    await theirs.updateAccountConfig(wantedConfig(await theirs.listAccountConfig(), PSP_KEY, true) as any);
    const kept = sdk.ListAccountConfigResponseSchema.parse(await theirs.listAccountConfig());
    expect(kept.pix.chaves![PSP_KEY]!.recebimento.documentoPagadorIgualDevedor).toBe(true);
    expect(await own('/config')).toEqual(kept);
    const balance = sdk.GetAccountBalanceResponseSchema.parse(await theirs.getAccountBalance());
    expect(await own('/saldo')).toEqual(balance);
    const { endToEndId } = await psp.pay(null, { valor: '1.00', payer: { cpf: '52998224725' } });
    const found = await theirs.pixReceivedList({ ...interval(), cpf: '52998224725' });
    expect(found.pix.map((one: { endToEndId: string }) => one.endToEndId)).toEqual([endToEndId]);
    const others = await theirs.pixReceivedList({ ...interval(), cpf: '11144477735' });
    expect(others.pix).toEqual([]);
  });

  it('takes a payment of either, and tells both the same of it', async () => {
    const rail = instruction();
    expect(await payments.send(rail, attempt(1))).toMatchObject({ status: 'Pending' });
    const idEnvio = freshId();
    const body = {
      valor: '5.00',
      pagador: { chave: PSP_KEY },
      favorecido: { chave: 'maria@example.com', cpf: '52998224725' },
    };
    const made = sdk.PixSendResponseSchema.parse(await theirs.pixSend({ idEnvio }, body));
    expect(await payments.query(idEnvio)).toEqual({ status: 'Pending', endToEndId: made.endToEndId });
    for (const id of [rail.paymentId, idEnvio]) {
      await psp.end(id, 'REALIZADO');
      const byId = await theirs.pixSendDetailId({ idEnvio: id });
      const sent = sdk.PixSendDetailIdResponseSchema.parse(byId);
      expect(await own(`/pix/enviados/id-envio/${id}`)).toEqual(byId);
      expect(await theirs.pixSendDetail({ e2eId: sent.endToEndId })).toEqual(byId);
      expect(await payments.query(id)).toMatchObject({ status: 'Settled', endToEndId: sent.endToEndId });
    }
    const page = sdk.PixSendListResponseSchema.parse(await theirs.pixSendList(interval()));
    const { inicio, fim } = interval();
    const { items } = await list.endedBetween(new Date(inicio), new Date(fim), null);
    expect(items.map((one) => one.kind === 'PaymentEnded' && one.paymentId).sort()).toEqual(
      page.pix.map((one: { idEnvio: string }) => one.idEnvio).sort(),
    );
  });

  it('takes the code of either', async () => {
    const qrCode = pixVectors.brCodes.valid[3]!;
    const rail = { ...instruction(), amount: 1_000n, qrCode };
    expect(await payments.send(rail, attempt(1))).toMatchObject({ status: 'Pending' });
    const idEnvio = freshId();
    const paid = await theirs.pixQrCodePay({ idEnvio }, { pagador: { chave: PSP_KEY }, pixCopiaECola: qrCode });
    const made = sdk.PixQrCodePayResponseSchema.parse(paid);
    expect(made.valor).toBe('10.00');
    expect(await payments.query(idEnvio)).toEqual({ status: 'Pending', endToEndId: made.endToEndId });
    const [ours] = await psp.asked(new RegExp(`^PUT /v2/gn/pix/${rail.paymentId}/qrcode`));
    expect(() => sdk.PixQrCodeBodySchema.parse(ours!.body)).not.toThrow();
  });

  it('writes what the rail sends as the SDK demands it', async () => {
    const { body } = (await psp.asked(/^PUT \/v3\/gn\/pix\//))[0]!;
    expect(() => sdk.PixSendBodySchema.parse(body)).not.toThrow();
  });

  it('refuses with words', async () => {
    const { idEnvio, body } = (await psp.sent())[0]!;
    await expect(theirs.pixSend({ idEnvio }, body)).rejects.toMatchObject({ nome: 'id_envio_duplicado' });
    await expect(theirs.pixDetailCharge({ txid: freshId() })).rejects.toMatchObject({
      nome: 'cobranca_nao_encontrada',
    });
    await expect(theirs.pixSendDetailId({ idEnvio: freshId() })).rejects.toMatchObject({
      type: expect.stringContaining('PixEnviadoNaoEncontrado'),
    });
    await expect(payments.query(freshId())).resolves.toEqual({ status: 'Unknown' });
  });
});
