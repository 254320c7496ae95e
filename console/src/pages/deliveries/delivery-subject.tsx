import { Link } from 'react-router';
import { word } from '../../i18n/index.js';

interface Subject {
  readonly transactionId: string | null;
  readonly transactionState: string | null;
  readonly type: string | null;
}

/** What a delivery tells: a state of a transaction, or what happened to an account. */
export function DeliverySubject({ transactionId, transactionState, type }: Subject) {
  const told = word(type ?? transactionState ?? '');
  return transactionId === null ? told : <Link to={`/transactions/${transactionId}`}>{told}</Link>;
}
