import { hash } from 'node:crypto';
import { uuidOfTxid } from './txid.js';

/**
 * What a rail that makes EndToEndIds itself knows a payout by: 1 to 35 letters and digits (`idEnvio`). Of a request
 * without a key it is `txidOf` the transaction. Of one with a key it follows from the request, so that a ledger which
 * has lost the payout names its repetition alike, and the rail pays it once: three digits of the partition, 16 that
 * find the key, 16 of what is paid.
 */
const OF_KEY = /^([0-9a-f]{3})([0-9a-f]{16})[0-9a-f]{16}$/;

export interface KeyedPayment {
  readonly partition: number;
  /** Marks of the key and of the request, hex: the second is hashed under a secret of the service. */
  readonly mark: { readonly id: string; readonly request: string };
  /** Centavos: a code that is read again may ask for another amount. */
  readonly amount: bigint;
}

export function paymentIdOf({ partition, mark: { id, request }, amount }: KeyedPayment): string {
  const paid = hash('sha256', `${request}|${amount}`, 'hex');
  return `${partition.toString(16).padStart(3, '0')}${id.slice(0, 16)}${paid.slice(0, 16)}`;
}

/** Where the command of such an identifier is found; `undefined` for one of another shape. */
export function keyOfPaymentId(paymentId: string): { readonly partition: number; readonly mark: string } | undefined {
  const [, partition, mark] = OF_KEY.exec(paymentId) ?? [];
  return mark === undefined ? undefined : { partition: Number.parseInt(partition!, 16), mark };
}

/** Whether it has the shape of ours: other systems may send from the same account at the PSP. */
export function isOwnPaymentId(paymentId: unknown): paymentId is string {
  if (typeof paymentId !== 'string') return false;
  return uuidOfTxid(paymentId) !== undefined || keyOfPaymentId(paymentId) !== undefined;
}
