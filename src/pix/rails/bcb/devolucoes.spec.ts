import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { HeldLease } from '../../../event-store/index.js';
import type { RefundInstruction } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import type { ApiPixClient, ApiPixRequest } from './api-pix-client.js';
import { Devolucoes, outcomeOf } from './devolucoes.js';
import { STANDARD } from './dialect.js';
import { ApiPixRefusal } from './problem.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

const settledAt = new Date('2026-11-20T14:00:00.000Z');
const devolucao = { nature: 'ORIGINAL', id: 'D1', amount: 1_000n, settledAt: undefined, reason: '' };

describe('what became of a refund', () => {
  it('is settled at the PSP’s time', () => {
    expect(outcomeOf({ ...devolucao, status: 'DEVOLVIDO', settledAt })).toEqual({ status: 'Settled', at: settledAt });
  });

  it.each(['EM_PROCESSAMENTO', 'AGENDADO'])('is open in the status %s, also in one that we do not know', (status) => {
    expect(outcomeOf({ ...devolucao, status })).toEqual({ status: 'Pending' });
  });

  it.each([
    ['AC07', 'AC07'],
    ['Conta encerrada (AC07).', 'AC07'],
    ['A conta foi encerrada', 'NAO_REALIZADO'],
    ['', 'NAO_REALIZADO'],
  ])('is a failure with its code, where the words "%s" hold one', (reason, code) => {
    expect(outcomeOf({ ...devolucao, status: 'NAO_REALIZADO', reason })).toMatchObject({ status: 'Rejected', code });
  });
});

describe('a refund that the PSP refuses', () => {
  const instruction = { returnId: 'D1', endToEndId: 'E1', amount: 100n, code: 'MD06' } as RefundInstruction;
  const problem = (status: number, name?: string) =>
    ApiPixRefusal.of(status, name && { type: `https://pix.bcb.gov.br/api/v2/error/${name}` }, {
      meanings: { Duplicado: 'Duplicate' },
    });
  const NOT_FOUND = problem(404, 'PixDevolucaoNaoEncontrada');
  const there = {
    id: 'D1',
    rtrId: 'D1',
    valor: '1.00',
    status: 'DEVOLVIDO',
    horario: { liquidacao: '2026-11-20T14:00:00Z' },
  };

  /** At a PSP that answers so to the request, and to look-ups. */
  function refunds(put: Error, get: object = NOT_FOUND): Devolucoes {
    const call = async ({ method }: ApiPixRequest) => {
      const answer = method === 'PUT' ? put : get;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return new Devolucoes({ call } as unknown as ApiPixClient, STANDARD, { lookUpLagMs: 60_000 });
  }
  const refund = (put: Error, get?: object, attempts = 1) =>
    refunds(put, get).refund(instruction, { attempts, lease: new HeldLease('a-lease'), refusals: null });

  it.each([400, 404, 409, 410, 422])('has ended by a named %d, if the PSP does not have it', async (status) => {
    expect(await refund(problem(status, 'Negada'))).toMatchObject({ status: 'Rejected', code: 'Negada' });
    expect(await refund(problem(status, 'Negada'), there)).toMatchObject({ status: 'Settled' });
    expect(await refund(problem(status, 'Negada'), NOT_FOUND, 2)).toMatchObject({ status: 'Pending' });
  });

  it.each([400, 404, 409, 410, 422])('has not ended by a bare %d, which may be a proxy’s', async (status) => {
    await expect(refund(problem(status))).rejects.toThrow(RailUnavailable);
  });

  it('as one that it has already is pending, though its look-up does not find it', async () => {
    expect(await refund(problem(422, 'Duplicado'))).toEqual({ status: 'Pending' });
  });

  it('has not ended where the PSP does not say by name that it has none', async () => {
    for (const get of [problem(404), problem(422, 'Negada'), { ...there, id: 'D2' }, new RailUnavailable('away')]) {
      await expect(refund(problem(422, 'Negada'), get)).rejects.toThrow(RailUnavailable);
    }
  });

  it('is sent again where a look-up finds nothing, by name or without one, and for no other reason', async () => {
    const look = (get: object) => refunds(NOT_FOUND, get).query(instruction);
    for (const get of [NOT_FOUND, problem(404), problem(410)]) expect(await look(get)).toEqual({ status: 'Unknown' });
    for (const get of [problem(400), problem(422, 'Negada')]) await expect(look(get)).rejects.toThrow(RailUnavailable);
  });

  it.each([
    [true, 'FR01', { natureza: 'ORIGINAL', descricao: expect.stringContaining('fraude') }],
    [true, 'MD06', { natureza: 'ORIGINAL' }],
    [false, 'FR01', {}],
  ])('is asked for in one attempt, described (%p) by %s', async (describesRefunds, code, described) => {
    const asked: ApiPixRequest[] = [];
    const call = async (one: ApiPixRequest) => {
      asked.push(one);
      return there;
    };
    const dialect = { ...STANDARD, describesRefunds };
    const lease = new HeldLease('a-lease');
    const refunding = new Devolucoes({ call } as unknown as ApiPixClient, dialect, { lookUpLagMs: 0 });
    await refunding.refund({ ...instruction, code } as RefundInstruction, { attempts: 1, lease, refusals: null });
    expect(asked).toMatchObject([{ method: 'PUT', path: '/pix/E1/devolucao/D1', once: true, lease }]);
    expect(asked[0]!.body).toEqual({ valor: '1.00', ...described });
  });
});
