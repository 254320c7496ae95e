import { Injectable } from '@nestjs/common';
import {
  accountProjection,
  type LaterTerms,
  MOST_SCHEDULED,
  Registry,
  type ScheduleTerms,
  type StoredTerms,
  TooManyScheduled,
  TransactionRows,
} from '../../accounts/index.js';
import { keyActor, type Principal } from '../../auth/index.js';
import {
  type Append,
  type EventOf,
  type LoadedRows,
  newId,
  type Outcome,
  partitionOf,
  personal,
  scoped,
  type SubjectRef,
} from '../../event-store/index.js';
import type { IdempotentRequest } from '../../platform/http/index.js';
import { decideTransfer, type TransferState } from '../domain/transfer.decider.js';
import { scheduleTransfer } from '../domain/scheduled-transfer.decider.js';
import type { TransferScheduled, TransferSettled } from '../domain/transfer.events.js';
import { transferTerms } from '../transfer-terms.js';

/** What a caller asks for. */
export interface TransferOrder {
  readonly destinationUid: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly description: string | undefined;
  /** Of one that is not made now. */
  readonly later?: LaterTerms;
}

export interface AcceptedTransfer {
  readonly id: string;
  /** Settled then, or scheduled then where there is a schedule. */
  readonly at: Date;
  readonly schedule?: StoredTerms;
  readonly replayed: boolean;
}

/** What holds for all transfers of a caller. */
export interface CallerContext extends Pick<TransferState, 'limits' | 'sunset'> {
  readonly caller: Principal;
  /** Of descriptions; present if there are any. */
  readonly owner: SubjectRef | undefined;
  /** So many transfers wait for their time that no further one may. */
  readonly isFull: boolean;
}

/** Makes the append of a transfer, whichever route it came by. */
@Injectable()
export class TransferAppends {
  constructor(
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
  ) {}

  async contextOf(caller: Principal, orders: readonly TransferOrder[]): Promise<CallerContext> {
    const { settings } = await this.registry.partner(caller.partnerUid);
    const isDescribed = orders.some(({ description }) => description);
    const isLater = orders.some(({ later }) => later);
    const { partition, accountUid } = caller;
    return {
      caller,
      ...transferTerms(settings),
      isFull: isLater && (await this.transactions.hasWaiting(partition, accountUid, MOST_SCHEDULED)),
      owner: isDescribed ? (await this.registry.facts(caller.accountUid)).owner : undefined,
    };
  }
}

/** What is read of a transfer before it is decided, and how it is: made now, or scheduled. */
export function prepareTransfer(
  { caller: { partition, accountUid }, owner, isFull, limits, sunset }: CallerContext,
  { destinationUid, amount, description }: TransferOrder,
) {
  const subject = description ? owner : undefined;
  const request = { destinationUid, amount, description: subject && personal(subject, description!) };
  // An account of another partition belongs to another partner: it is not looked up.
  const isReachable = partitionOf(destinationUid) === partition && destinationUid !== accountUid;
  const stateIn = (rows: LoadedRows): TransferState => {
    const accounts = rows.of(accountProjection);
    return { source: accounts.get(accountUid)!, destination: accounts.get(destinationUid), limits, sunset };
  };
  return {
    request,
    reads: { accounts: isReachable ? [accountUid, destinationUid] : [accountUid] },
    subjects: subject ? [subject] : [],
    settle: (rows: LoadedRows, id: string, at: Date) => decideTransfer(stateIn(rows), { id, ...request }, at),
    schedule: (rows: LoadedRows, id: string, terms: ScheduleTerms, at: Date) => {
      if (isFull) throw new TooManyScheduled();
      return scheduleTransfer(stateIn(rows), { id, ...request, terms }, at);
    },
  };
}

export function transferAppend(
  callerContext: CallerContext,
  order: TransferOrder,
  requestId: string,
  idempotency: IdempotentRequest | undefined,
): Append {
  const { caller } = callerContext;
  const { partition, accountUid } = caller;
  const { later } = order;
  const id = newId(partition);
  const timerId = later ? newId(partition) : '';
  const { reads, subjects, settle, schedule } = prepareTransfer(callerContext, order);
  return {
    partition,
    reads,
    creates: later ? { transactions: [id], scheduledTransactions: [id] } : { transactions: [id] },
    subjects,
    decide: (rows, at) => (later ? schedule(rows, id, { ...later, timerId }, at) : settle(rows, id, at)),
    metadata: { actor: keyActor(caller), requestId, correlation: id },
    idempotency: scoped(accountUid, idempotency),
  };
}

export function acceptedTransfer({ events, replayed }: Outcome): AcceptedTransfer {
  const { data, time: at } = events[0] as EventOf<typeof TransferSettled | typeof TransferScheduled>;
  return { id: data.id, at, ...('schedule' in data && { schedule: data.schedule }), replayed };
}
