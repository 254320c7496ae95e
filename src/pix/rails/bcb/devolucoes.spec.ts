import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './devolucoes.js';

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
