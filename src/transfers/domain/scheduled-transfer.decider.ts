import {
  type Account,
  assertSchedulable,
  cancelWaiting,
  carryOut,
  type ScheduleTerms,
  storedTerms,
  type Transaction,
} from '../../accounts/index.js';
import type { DataOf, NewEvent, Sealed } from '../../event-store/index.js';
import { assertBetweenAccounts, decideTransfer, type TransferRequest, type TransferState } from './transfer.decider.js';
import { TransferCancelled, TransferRefused, TransferScheduled } from './transfer.events.js';

/** What a transfer for later is made of, and may be made of again. */
export type ScheduledOrder = Pick<DataOf<typeof TransferScheduled>, 'destinationUid' | 'amount' | 'description'>;

/** A transfer for later. */
export interface ScheduledTransferRequest extends TransferRequest {
  readonly terms: ScheduleTerms;
}

/**
 * What can change until its time is decided then: funds, and whether the destination is active. What cannot change for
 * the better, and what the account may ask for, is refused at once.
 */
export function scheduleTransfer(
  state: TransferState,
  request: ScheduledTransferRequest,
  at: Date,
): readonly NewEvent[] {
  assertSchedulable(request.terms, at);
  assertBetweenAccounts(state, request, at);
  const { id, destinationUid, amount, description, terms } = request;
  const order = { destinationUid, amount: amount.toString(), ...(description && { description }) };
  return [transferScheduled(state.source, id, order, terms)];
}

/** The event alone, for a run of a schedule: whether it can be made is decided when its time has come. */
export function transferScheduled(source: Account, id: string, order: ScheduledOrder, terms: ScheduleTerms): NewEvent {
  const { partnerUid, uid: sourceUid } = source;
  const { destinationUid, amount, description } = order;
  return TransferScheduled.create(`transfer-${id}`, 1, {
    ...{ id, partnerUid, sourceUid, destinationUid, amount },
    ...(description && { description }),
    schedule: storedTerms(terms),
  });
}

/**
 * Makes a scheduled transfer, as any transfer of that moment, or ends it with the reason. One that has ended stays as
 * it is: its work may be done twice.
 * @throws CustomerAccountInsufficientFunds while it may wait for funds
 */
export function runTransfer(state: TransferState, transfer: Transaction, at: Date): readonly NewEvent[] {
  const { id, amount, version, counterpartyUid, details } = transfer;
  const description = details?.orderDescription as Sealed<string> | undefined;
  const request = { id, destinationUid: counterpartyUid!, amount, description, version };
  return carryOut(transfer, at, {
    run: () => decideTransfer(state, request, at),
    refuse: (reason) => {
      const { partnerUid, uid: sourceUid } = state.source;
      const refused = {
        id,
        partnerUid,
        sourceUid,
        destinationUid: counterpartyUid!,
        amount: amount.toString(),
        reason,
      };
      return [TransferRefused.create(`transfer-${id}`, version + 1, refused)];
    },
  });
}

/** @throws TransitionNotAllowed unless it waits */
export function cancelTransfer(transfer: Transaction, partnerUid: string): readonly NewEvent[] {
  const { id, version } = transfer;
  return cancelWaiting(transfer, (timerId) => [
    TransferCancelled.create(`transfer-${id}`, version + 1, { id, partnerUid, timerId }),
  ]);
}
