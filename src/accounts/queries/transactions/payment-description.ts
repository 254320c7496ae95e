import type { Sealed } from '../../../event-store/index.js';
import type { Transaction, TransactionType } from '../../transactions/transaction.js';

/** Opens what stands sealed in a transaction; `null` where its subject was forgotten. */
export type Opened = <T>(sealed: Sealed<T>) => T | null;

/** How the member `payment` of a type of transaction is shown: its module knows, this one does not. */
export interface PaymentDescription {
  /** Everything of it that `show` will open. */
  sealed(transaction: Transaction): readonly Sealed[];
  show(transaction: Transaction, open: Opened, publicUrl: string): Record<string, unknown> | null;
}

const descriptions = new Map<TransactionType, PaymentDescription>();

/** Modules call it where they are put together. A type that nobody describes shows `payment: null`. */
export function describePayment(type: TransactionType, description: PaymentDescription): void {
  descriptions.set(type, description);
}

export function paymentDescription(type: TransactionType): PaymentDescription | undefined {
  return descriptions.get(type);
}
