import type { Phrase } from '../../i18n/index.js';

/** Movements of money at the rail, by the service's names. */
export const MOVEMENTS = {
  PaymentIn: 'Deposits received',
  PaymentOut: 'Payouts sent',
  RefundIn: 'Refunds received',
  RefundOut: 'Refunds sent',
} as const satisfies Record<string, Phrase>;
