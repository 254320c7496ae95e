import type { Sealed } from '../../../event-store/index.js';
import type { Transaction, TransactionType } from '../../transactions/transaction.js';

/** Decrypts a sealed value; `null` after its subject was erased. */
export type Opened = <T>(sealed: Sealed<T>) => T | null;

/** How the module of a transaction type shows the field `payment`. */
export interface PaymentDescription {
  /** All sealed values that `show` decrypts. */
  sealed(transaction: Transaction): readonly Sealed[];
  show(transaction: Transaction, open: Opened, publicUrl: string): Record<string, unknown> | null;
}

const descriptions = new Map<TransactionType, PaymentDescription>();

/** Called by modules at start. A type without a description shows `payment: null`. */
export function describePayment(type: TransactionType, description: PaymentDescription): void {
  descriptions.set(type, description);
}

export function paymentDescription(type: TransactionType): PaymentDescription | undefined {
  return descriptions.get(type);
}
