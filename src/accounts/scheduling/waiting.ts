import type { LoadedRows, NewEvent, WorkResult } from '../../event-store/index.js';
import { DomainError, EntityNotFound } from '../../platform/errors/index.js';
import { CustomerAccountInsufficientFunds, TransitionNotAllowed } from '../domain/errors.js';
import type { Transaction } from '../transactions/transaction.js';
import { transactionProjection } from '../transactions/transaction.projection.js';
import { scheduleOf } from './schedule-terms.js';

/** What becomes of a transaction when its time has come. */
interface CarryingOut {
  readonly run: () => readonly NewEvent[];
  readonly refuse: (reason: string) => readonly NewEvent[];
}

const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;

/**
 * Carries out a scheduled transaction, or ends it with the reason of the refusal. One that does not wait any more stays
 * as it is: its work may be done twice, or come after a cancellation.
 * @throws CustomerAccountInsufficientFunds while it may wait for funds
 */
export function carryOut(transaction: Transaction, at: Date, { run, refuse }: CarryingOut): readonly NewEvent[] {
  if (transaction.state !== 'Scheduled') return [];
  try {
    return run();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error instanceof CustomerAccountInsufficientFunds && waitsForFunds(transaction, at)) throw error;
    return refuse(reasonOf(error));
  }
}

/**
 * What the account of the context may cancel.
 * @throws EntityNotFound, for another account's too, and for a transfer that the account is to receive
 */
export function ownScheduled(rows: LoadedRows, { accountUid }: { accountUid: string }, id: string): Transaction {
  const transaction = rows.of(transactionProjection).get(id);
  if (transaction?.accountUid !== accountUid) throw new EntityNotFound('TransactionEntity', 'id', id);
  return transaction;
}

/** @throws TransitionNotAllowed unless the transaction waits */
export function cancelWaiting(
  transaction: Transaction,
  cancel: (timerId: string) => readonly NewEvent[],
): readonly NewEvent[] {
  if (transaction.state !== 'Scheduled') throw new TransitionNotAllowed(transaction.state, 'Cancelled');
  return cancel(scheduleOf(transaction)!.timerId);
}

interface OfStream {
  readonly id: string;
  readonly version: number;
}

/**
 * @param logged as its events make it @param row as it stands when its work is decided
 * @throws where the row is not at the event that was read last: the work is begun again, and reads the events again
 */
export function assertUnchanged(logged: OfStream, row: OfStream): void {
  if (row.version !== logged.version) throw new Error(`${logged.id} changed when its time had come`);
}

/**
 * The result of the work that carries it out. Where funds are missing it is done again after a minute, then twice as
 * long up to an hour, and at the end of the time that the partner gave.
 */
export async function whenFundsCome(
  transaction: Transaction,
  attempts: number,
  run: () => Promise<unknown>,
): Promise<WorkResult> {
  try {
    await run();
    return 'done';
  } catch (error) {
    if (!(error instanceof CustomerAccountInsufficientFunds)) throw error;
    const pause = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10), LAST_RETRY_MS);
    const until = Date.parse(scheduleOf(transaction)!.retryUntil!);
    return { retryAt: new Date(Math.min(Date.now() + pause, until)) };
  }
}

function waitsForFunds(transaction: Transaction, at: Date): boolean {
  const { retryUntil } = scheduleOf(transaction)!;
  return retryUntil !== undefined && at < new Date(retryUntil);
}

function reasonOf({ name, details }: DomainError): string {
  return typeof details.reason === 'string' ? details.reason : name;
}
