import type { AccountType } from '../../../accounts/index.js';
import type { ToldOfPayment } from '../../domain/cash-out.decider.js';
import type { PaymentOutcome } from '../pix-rail.js';

/** States of a payment at the PSP. Any other is no end: it is asked for again. */
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

/** What the look-up says decides; what the callback said beside it is handed on. */
export function outcomeOf({ status, endToEndId, at, payee }: SentPayment, told?: ToldOfPayment): PaymentOutcome {
  const common = { endToEndId, ...(told && { told }) };
  switch (ENDS[status]) {
    case 'Settled':
      return { ...common, status: 'Settled', at, payee };
    case 'Rejected':
      // The look-up tells no reason.
      return { ...common, status: 'Rejected', at, code: status };
    default:
      return { ...common, status: 'Pending' };
  }
}

/** A payment of ours as the PSP has it, in our own values. */
export interface SentPayment {
  readonly idEnvio: string;
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly status: string;
  /** When it was settled, or else asked for. */
  readonly at: Date;
  readonly payee: { readonly name?: string; readonly taxNumber?: string };
  readonly returns: readonly { readonly returnId: string; readonly amount: bigint; readonly at: Date }[];
}
