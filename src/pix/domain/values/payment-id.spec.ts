import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../event-store/index.js';
import { isOwnPaymentId, type KeyedPayment, keyOfPaymentId, paymentIdOf } from './payment-id.js';
import { txidOf } from './txid.js';

const PAYMENT: KeyedPayment = {
  partition: 1,
  mark: { id: '0123456789abcdef'.repeat(4), request: 'fe'.repeat(31) },
  amount: 1_000n,
};

describe('the identifier of a payout at a rail that makes EndToEndIds itself', () => {
  it('is that of the request: of its partition, its key, what it asks for, and the amount', () => {
    const id = paymentIdOf(PAYMENT);
    expect(id).toMatch(/^0010123456789abcdef[0-9a-f]{16}$/);
    expect(paymentIdOf({ ...PAYMENT, mark: { ...PAYMENT.mark } })).toBe(id);
    const others: KeyedPayment[] = [
      { ...PAYMENT, partition: 0xfff },
      { ...PAYMENT, mark: { ...PAYMENT.mark, id: 'f'.repeat(64) } },
      { ...PAYMENT, mark: { ...PAYMENT.mark, request: `${'fe'.repeat(30)}ff` } },
      { ...PAYMENT, amount: 1_001n },
    ];
    expect(new Set([id, ...others.map(paymentIdOf)]).size).toBe(5);
  });

  it('tells where its command is', () => {
    expect(keyOfPaymentId(paymentIdOf(PAYMENT))).toEqual({ partition: 1, mark: '0123456789abcdef' });
    expect(keyOfPaymentId(paymentIdOf({ ...PAYMENT, partition: 4095 }))?.partition).toBe(4095);
  });

  it('is ours by its shape, as that of a transaction is, and no other', () => {
    const ours = [paymentIdOf(PAYMENT), txidOf(newId(1))];
    expect(ours.map(isOwnPaymentId)).toEqual([true, true]);
    const others = [ours[0]!.toUpperCase(), ours[0]!.slice(1), `${ours[0]}0`, '', null, undefined, 7, {}];
    expect(others.filter(isOwnPaymentId)).toEqual([]);
    expect(keyOfPaymentId(ours[1]!)).toBeUndefined();
  });
});
