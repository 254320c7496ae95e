import type { Principal } from '../../auth/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import type { LocatedTransaction, PixTransactions } from '../transactions/pix-transactions.js';

/** A cash-in of the account of the context. @throws EntityNotFound, for another account's too */
export async function ownCashIn(
  transactions: PixTransactions,
  { accountUid }: Principal,
  id: string,
): Promise<LocatedTransaction> {
  const located = await transactions.byId(id);
  if (located?.transaction.type !== 'CashIn' || located.accountUid !== accountUid) {
    throw new EntityNotFound('TransactionEntity', 'id', id);
  }
  return located;
}
