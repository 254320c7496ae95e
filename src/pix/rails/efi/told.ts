import { parseIspb } from '../../../platform/ispb.js';
import { parseAmount } from '../../../platform/money.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { optionalText } from '../bcb/messages.js';
import type { ToldOfPayment } from '../../domain/cash-out.decider.js';
import type { ToldOfReceived } from '../pix-rail.js';

/** What only callbacks say, `gnExtras`. Whoever knows our address may have written it: whatever is odd is left out. */

/** ISO 20022, as the callback's `erro.codigo`. */
const REASON = /^[A-Z]{2}[0-9]{2}$/;
const LONGEST_NAME = 140;

export function toldOfPayment(gnExtras: unknown): ToldOfPayment | undefined {
  const { erro, tarifa } = membersOf(gnExtras);
  const reason = optionalText(membersOf(erro).codigo);
  const fee = feeOf(tarifa);
  return present({ ...(reason && REASON.test(reason) && { reason }), ...(fee !== undefined && { fee }) });
}

export function toldOfReceived(gnExtras: unknown): ToldOfReceived | undefined {
  const { pagador, tarifa } = membersOf(gnExtras);
  const { nome, cpf, cnpj, codigoBanco } = membersOf(pagador);
  const name = optionalText(nome)?.slice(0, LONGEST_NAME);
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

/** Text in its examples, and perhaps a number. */
function feeOf(tarifa: unknown): bigint | undefined {
  const written = typeof tarifa === 'number' ? tarifa.toFixed(2) : tarifa;
  const fee = typeof written === 'string' ? parseAmount(written) : undefined;
  return fee !== undefined && fee > 0n ? fee : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function present<T extends object>(told: T): T | undefined {
  return Object.keys(told).length === 0 ? undefined : told;
}
