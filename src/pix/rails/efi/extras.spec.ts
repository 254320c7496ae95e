import { expect, it } from '@jest/globals';
import { paymentInExtras } from './extras.js';

it("cuts a payer's name, not in the middle of a character", () => {
  const { payer } = paymentInExtras({ pagador: { nome: 'a'.repeat(139) + '🙂🙂' } })!;
  expect(payer).toEqual({ name: 'a'.repeat(139) + '🙂' });
});
