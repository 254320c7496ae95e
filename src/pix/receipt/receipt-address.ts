import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Address of the receipt of a completed transaction, for `transactionReceipt` (contract 2.7). Whoever has it may read
 * the receipt (it goes to payers, who have no token), so its last part is random and stands nowhere else.
 * @param publicUrl PUBLIC_URL
 * @param token `receiptToken` of the transaction's details
 */
export function receiptAddress(publicUrl: string, transactionId: string, token: string): string {
  return `${publicUrl}/pix/receipts/${transactionId}/${token}`;
}

/** Whether the token of an address is the transaction's. Takes the same time for every wrong one, of any length. */
export function isReceiptToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
