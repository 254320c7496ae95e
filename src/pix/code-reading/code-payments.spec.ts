import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ByCode } from '../commands/requested-cash-out.js';
import { CodePayments, type ReadCode } from './code-payments.js';

const code = { kind: 'Static', key: 'pix@bcb.gov.br', amount: 100n, merchantName: 'Loja' };
const payment = { method: 'QrCode', qrCode: '0002…', code, requested: {} } as unknown as ByCode;
const key = { scope: 'account', key: 'once', request: 'the same' };

let readings: number;
let codes: CodePayments;
beforeEach(() => {
  readings = 0;
  const reader = {
    read: async () => {
      readings += 1;
      return null;
    },
  };
  codes = new CodePayments(reader as never, { capabilities: { sends: true } } as never);
});

const ask = (read: ReadCode) => read('partner', payment, key, (work) => work());

describe('the reading of a code', () => {
  it('is shared by commands under one key, until the last of them has ended', async () => {
    await codes.during(false, (read) => Promise.all([ask(read), codes.during(false, ask)]));
    expect(readings).toBe(1);
    await codes.during(false, ask);
    expect(readings).toBe(2);
  });

  it('is not kept where it begins after its command has failed, as one of a batch', async () => {
    let late!: ReadCode;
    const failed = codes.during(false, (read) => {
      late = read;
      return Promise.reject(new Error('another code of the batch'));
    });
    await expect(failed).rejects.toThrow('another code');
    await ask(late);
    await codes.during(false, ask);
    expect(readings).toBe(2);
  });
});
