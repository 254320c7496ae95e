import type { SubjectRef } from '../../event-store/index.js';

/** The subject behind a tax number, as seen by one partner. */
export function taxpayer(partnerUid: string, taxNumber: string): SubjectRef {
  return { clear: `tax-number|${partnerUid}|${taxNumber}` };
}

/** The subject of a transaction whose person gave no tax number. */
export function transactionParty(transactionId: string): SubjectRef {
  return { clear: `transaction|${transactionId}` };
}

/** The subject of a transaction's payer or payee, by the tax number where there is one. */
export function partySubject(partnerUid: string, taxNumber: string | undefined, transactionId: string): SubjectRef {
  return taxNumber ? taxpayer(partnerUid, taxNumber) : transactionParty(transactionId);
}
