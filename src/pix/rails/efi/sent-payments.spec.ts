import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { HeldLease, Refusals } from '../../../event-store/index.js';
import type { Config } from '../../../platform/config/index.js';
import type { ApiPixClient, ApiPixRequest } from '../bcb/api-pix-client.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import type { PaymentInstruction } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { efiDialect } from './dialect.js';
import { SentPayments } from './sent-payments.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

const ID = '01a1f962d93770019db5cf286c4f56d2';
const INSTRUCTION = { paymentId: ID, amount: 100n, payee: {}, payer: {} } as unknown as PaymentInstruction;
const LAG_MS = 60_000;

const sent = (more: object = {}) => ({
  ...{ idEnvio: ID, endToEndId: 'E6070119020261120140400000000000', valor: '1.00' },
  ...{ status: 'REALIZADO', horario: '2026-11-20T14:00:00.000Z' },
  ...more,
});
const refusal = (status: number, nome?: string) =>
  ApiPixRefusal.of(status, nome && { nome }, efiDialect({ skipMtlsCheck: false }));
const NOT_FOUND = refusal(404, 'pix_nao_encontrado');

/** A PSP that answers so to what is sent, and to look-ups. */
function payments(put: object, get: object = NOT_FOUND): SentPayments {
  const call = async ({ method }: ApiPixRequest) => {
    const answer = method === 'PUT' ? put : get;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const efi = { ownUrl: 'https://psp', sendUrl: 'https://psp', lookUpLagMs: LAG_MS };
  return new SentPayments({ call } as unknown as ApiPixClient, { efi, pixKey: 'k' } as unknown as Config);
}
const attempt = (attempts = 1, refusedMs: number | null = null) => ({
  ...{ attempts, lease: new HeldLease('a-lease') },
  refusals: refusedMs === null ? null : new Refusals(refusedMs),
});
const send = (put: object, get?: object, of = attempt()) => payments(put, get).send(INSTRUCTION, of);

describe('a payout that the PSP takes', () => {
  it.each([
    ['REALIZADO', 'Settled'],
    ['NAO_REALIZADO', 'Rejected'],
    ['EM_PROCESSAMENTO', 'Pending'],
    ['constructor', 'Pending'],
  ])('in the state %s is %s', async (status, outcome) => {
    expect(await send(sent({ status }))).toMatchObject({ status: outcome, endToEndId: sent().endToEndId });
    expect(await payments({}, sent({ status })).query(ID)).toMatchObject({ status: outcome });
  });

  it('is known by the answer about it alone', async () => {
    const another = sent({ idEnvio: ID.replace(/2$/, '3') });
    await expect(send(another)).rejects.toThrow(RailUnavailable);
    await expect(payments({}, another).query(ID)).rejects.toThrow(RailUnavailable);
  });
});

describe('a payout that the PSP refuses', () => {
  it.each([
    [400, 'json_invalido'],
    [422, 'pagamento_negado'],
    [404, 'chave_favorecido_nao_encontrada'],
  ])('has ended by %d %s, if the PSP does not have it', async (status, nome) => {
    expect(await send(refusal(status, nome))).toMatchObject({ status: 'Rejected', code: nome });
    expect(await send(refusal(status, nome), sent())).toMatchObject({ status: 'Settled' });
  });

  it.each([
    [400, undefined],
    [404, undefined],
    [422, undefined],
    [403, 'acesso_negado'],
    [404, 'nao_encontrado'],
    [409, 'em_conflito'],
    [410, 'acabou'],
    [500, 'erro_aplicacao'],
  ])('has not ended by %d %s', async (status, nome) => {
    await expect(send(refusal(status, nome))).rejects.toThrow(RailUnavailable);
  });

  it('as one that it has already is pending, though its look-up does not find it', async () => {
    expect(await send(refusal(409, 'id_envio_duplicado'))).toEqual({ status: 'Pending' });
  });

  it('again has ended only once all attempts were refused for longer than its look-up lags', async () => {
    const no = refusal(422, 'pagamento_negado');
    expect(await send(no, NOT_FOUND, attempt(2))).toMatchObject({ status: 'Pending', refusals: expect.anything() });
    expect(await send(no, NOT_FOUND, attempt(9, LAG_MS))).toMatchObject({ status: 'Rejected' });
  });

  it('is looked up first: without an answer to that, nothing is known', async () => {
    for (const get of [refusal(404), refusal(500, 'erro'), new RailUnavailable('away')]) {
      await expect(send(refusal(422, 'pagamento_negado'), get)).rejects.toThrow(RailUnavailable);
    }
  });
});

describe('a look-up', () => {
  it.each(['pix_nao_encontrado', 'PixEnviadoNaoEncontrado'])('finds nothing by the name %s', async (nome) => {
    expect(await payments({}, refusal(400, nome)).query(ID)).toEqual({ status: 'Unknown' });
  });

  it.each([
    [404, undefined],
    [400, 'json_invalido'],
    [404, 'nao_encontrado'],
  ])('proves nothing by %d %s: what is unknown would be sent again', async (status, nome) => {
    await expect(payments({}, refusal(status, nome)).query(ID)).rejects.toThrow(RailUnavailable);
  });

  it('tells what came back of a payout that was settled', async () => {
    const devolucoes = [{ rtrId: 'D1', valor: '0.40', horario: '2026-11-21T14:00:00.000Z' }];
    const outcome = await payments({}, sent({ devolucoes })).query(ID);
    expect(outcome).toMatchObject({ returned: [{ returnId: 'D1', paymentId: ID, amount: 40n, code: 'MD06' }] });
  });
});

describe('what is sent', () => {
  const request = async (instruction: object) => {
    const asked: ApiPixRequest[] = [];
    const call = async (one: ApiPixRequest) => {
      asked.push(one);
      return sent();
    };
    const efi = { ownUrl: 'https://own', sendUrl: 'https://send', lookUpLagMs: LAG_MS };
    const of = attempt();
    const client = { call } as unknown as ApiPixClient;
    const sending = new SentPayments(client, { efi, pixKey: 'ours' } as unknown as Config);
    await sending.send({ ...INSTRUCTION, ...instruction }, of);
    const [{ body, ...rest }] = asked as [ApiPixRequest];
    // In one attempt: an answer that is lost may be of a payment that was made.
    expect([asked.length, rest.once, rest.lease]).toEqual([1, true, of.lease]);
    return { ...rest, body };
  };
  const account = { ispb: '60746948', branch: '0001', number: '12345', digit: 'X', name: 'Ana' };

  it.each([
    [{ key: { value: 'a@b.example' } }, { chave: 'a@b.example' }],
    [
      { key: { value: 'a@b.example' }, payee: { taxNumber: '52998224725' } },
      { chave: 'a@b.example', cpf: '52998224725' },
    ],
    [
      { payee: { ...account, type: 'SavingsAccount', taxNumber: '12ABC34501DE35' } },
      {
        contaBanco: {
          ...{ nome: 'Ana', cnpj: '12ABC34501DE35', codigoBanco: '60746948', agencia: '0001', conta: '123450' },
          tipoConta: 'svgs',
        },
      },
    ],
  ])('of %j pays %j', async (instruction, favorecido) => {
    const { base, path, body } = await request(instruction);
    expect([base, path]).toEqual(['https://send', `/pix/${ID}`]);
    expect(body).toEqual({ valor: '1.00', pagador: { chave: 'ours' }, favorecido });
  });

  it('of a code is the code, without an amount; a description is cut to 139 characters', async () => {
    const { base, path, body } = await request({ qrCode: '000201…', description: '🙂'.repeat(140) });
    expect([base, path]).toEqual(['https://own', `/pix/${ID}/qrcode`]);
    expect(body).toEqual({ pagador: { chave: 'ours', infoPagador: '🙂'.repeat(139) }, pixCopiaECola: '000201…' });
  });
});
