import type { AccountType } from '../../../accounts/index.js';
import type { PayoutExtras } from '../../domain/cash-out.decider.js';
import type { PaymentOutcome } from '../pix-rail.js';

/** Final states of a payment at the PSP. In any other state it is queried again. */
const ENDS: Readonly<Record<string, 'Settled' | 'Rejected'>> = {
  REALIZADO: 'Settled',
  NAO_REALIZADO: 'Rejected',
};

/** `tipoConta` by our types. A salary account has none in any source, so it is not paid. */
export const ACCOUNT_CODES: Readonly<Partial<Record<AccountType, string>>> = {
  CheckingsAccount: 'cacc',
  SavingsAccount: 'svgs',
  PaymentAccount: 'tran',
};

export const PAID_ACCOUNT_TYPES = Object.keys(ACCOUNT_CODES) as readonly AccountType[];

/** The outcome by the look-up; extras of the callback are passed on. */
export function outcomeOf({ status, endToEndId, at, payee }: SentPayment, extras?: PayoutExtras): PaymentOutcome {
  const common = { endToEndId, ...(extras && { extras }) };
  switch (ENDS[status]) {
    case 'Settled':
      return { ...common, status: 'Settled', at, payee };
    case 'Rejected':
      // The look-up gives no reason.
      return { ...common, status: 'Rejected', at, code: status };
    default:
      return { ...common, status: 'Pending' };
  }
}

/** Returns of the payee's bank; the PSP gives no reason. */
export function returnsOf({ idEnvio: paymentId, endToEndId, returns }: SentPayment) {
  return returns.map(({ returnId, amount, at }) => ({ returnId, endToEndId, paymentId, amount, at, code: 'MD06' }));
}

/** A payment of ours at the PSP, in our types. */
export interface SentPayment {
  readonly idEnvio: string;
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly status: string;
  /** When it was settled, or else requested. */
  readonly at: Date;
  readonly payee: { readonly name?: string; readonly taxNumber?: string };
  readonly returns: readonly { readonly returnId: string; readonly amount: bigint; readonly at: Date }[];
}
