import {
  type Account,
  type AmountLimits,
  assertRoom,
  assertWithin,
  CustomerAccountInsufficientFunds,
  CustomerAccountIsNotActive,
  DestinationAccountIsNotActive,
  post,
} from '../../accounts/index.js';
import type { NewEvent, Personal, Sealed } from '../../event-store/index.js';
import { EntityNotFound, OperationError } from '../../platform/errors/index.js';
import { TransferSettled } from './transfer.events.js';

/** The state on which a transfer is decided. */
export interface TransferState {
  readonly source: Account;
  readonly destination: Account | undefined;
  readonly limits: AmountLimits;
  /** From this moment on, accounts of class Legacy can no longer transfer. */
  readonly sunset: Date | null;
}

export interface TransferRequest {
  readonly id: string;
  readonly destinationUid: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly description?: Personal<string> | Sealed<string>;
  /** Of its stream, where it has begun: absent for a transfer that was not scheduled. */
  readonly version?: number;
}

export class TransferToSameAccountNotAllowed extends OperationError {
  constructor() {
    super('TransferToSameAccountNotAllowed', 'Source and destination are the same account.');
  }
}

export class TransferNotAvailableForAccountClass extends OperationError {
  constructor() {
    super(
      'TransferNotAvailableForAccountClass',
      'Internal transfers are no longer available for accounts of this class.',
    );
  }
}

/** What holds of a transfer that is scheduled, too. @returns the destination */
export function assertBetweenAccounts(state: TransferState, request: TransferRequest, at: Date): Account {
  const { source, destination } = state;
  assertWithin(state.limits, request.amount);
  if (source.status !== 'Active') throw new CustomerAccountIsNotActive();
  if (source.class === 'Legacy' && state.sunset && at >= state.sunset) throw new TransferNotAvailableForAccountClass();
  if (!destination || destination.system || destination.partnerUid !== source.partnerUid) {
    throw new EntityNotFound('CustomerAccountEntity', 'uid', request.destinationUid);
  }
  if (source.uid === destination.uid) throw new TransferToSameAccountNotAllowed();
  return destination;
}

/**
 * Refusals in the order of decisions 5: limits, source, class, destination, same account, its status, funds, balance
 * limit.
 */
export function decideTransfer(state: TransferState, request: TransferRequest, at: Date): readonly NewEvent[] {
  const { source } = state;
  const destination = assertBetweenAccounts(state, request, at);
  if (destination.status !== 'Active') throw new DestinationAccountIsNotActive();
  if (source.available < request.amount) throw new CustomerAccountInsufficientFunds();
  assertRoom(destination, request.amount);
  return [
    TransferSettled.create(`transfer-${request.id}`, (request.version ?? 0) + 1, {
      id: request.id,
      partnerUid: source.partnerUid,
      sourceUid: source.uid,
      destinationUid: destination.uid,
      amount: request.amount.toString(),
      ...(request.description && { description: request.description }),
      postings: post([
        { account: source, bucket: 'available', amount: -request.amount },
        { account: destination, bucket: 'available', amount: request.amount },
      ]),
    }),
  ];
}
