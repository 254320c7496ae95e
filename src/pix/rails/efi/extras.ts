import { parseIspb } from '../../../platform/ispb.js';
import { parseAmount } from '../../../platform/money.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { cutText, LONGEST_NAME, optionalText } from '../bcb/answer-members.js';
import type { PayoutExtras } from '../../domain/cash-out.decider.js';
import type { PaymentInExtras } from '../pix-rail.js';

/** Details that only callbacks have, `gnExtras`. They are not authenticated: invalid values are left out. */

/** ISO 20022, as the callback's `erro.codigo`. */
const REASON = /^[A-Z]{2}[0-9]{2}$/;

export function payoutExtras(gnExtras: unknown): PayoutExtras | undefined {
  const { erro, tarifa } = membersOf(gnExtras);
  const reason = optionalText(membersOf(erro).codigo);
  const fee = feeOf(tarifa);
  return present({ ...(reason && REASON.test(reason) && { reason }), ...(fee !== undefined && { fee }) });
}

export function paymentInExtras(gnExtras: unknown): PaymentInExtras | undefined {
  const { pagador, tarifa } = membersOf(gnExtras);
  const { nome, cpf, cnpj, codigoBanco } = membersOf(pagador);
  const name = cutText(nome, LONGEST_NAME);
  const taxNumber = parseTaxNumber(optionalText(cpf) ?? optionalText(cnpj) ?? '')?.value;
  const ispb = parseIspb(optionalText(codigoBanco) ?? '');
  const payer = present({
    ...(name && { name }),
    ...(taxNumber && { taxNumber }),
    ...(ispb && { ispb }),
  });
  const fee = feeOf(tarifa);
  return present({ ...(payer && { payer }), ...(fee !== undefined && { fee }) });
}

/** A text in the documentation's examples, perhaps a number in practice. */
function feeOf(tarifa: unknown): bigint | undefined {
  const written = typeof tarifa === 'number' ? tarifa.toFixed(2) : tarifa;
  const fee = typeof written === 'string' ? parseAmount(written) : undefined;
  return fee !== undefined && fee > 0n ? fee : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function present<T extends object>(members: T): T | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}
