import { Injectable } from '@nestjs/common';
import { accountProjection, amountLimits, Registry } from '../../accounts/index.js';
import type { Principal } from '../../auth/index.js';
import {
  type Append,
  type EventOf,
  newId,
  type Outcome,
  partitionOf,
  personal,
  type SubjectRef,
} from '../../event-store/index.js';
import type { IdempotentRequest } from '../../platform/http/index.js';
import { decideTransfer, type TransferState } from '../domain/transfer.decider.js';
import type { TransferSettled } from '../domain/transfer.events.js';

/** What a caller asks for. */
export interface TransferOrder {
  readonly destinationUid: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly description: string | undefined;
}

export interface SettledTransfer {
  readonly id: string;
  readonly settledAt: Date;
  readonly replayed: boolean;
}

/** What holds for all transfers of a caller. */
export interface TransferTerms extends Pick<TransferState, 'limits' | 'sunset'> {
  readonly caller: Principal;
  readonly requestId: string;
  /** Of descriptions; present if there are any. */
  readonly owner: SubjectRef | undefined;
}

/** Makes the append of a transfer, whichever route it came by. */
@Injectable()
export class TransferAppends {
  constructor(private readonly registry: Registry) {}

  async terms(caller: Principal, requestId: string, orders: readonly TransferOrder[]): Promise<TransferTerms> {
    const { settings } = await this.registry.partner(caller.partnerUid);
    const isDescribed = orders.some(({ description }) => description);
    return {
      caller,
      requestId,
      limits: amountLimits(settings.transferMinimum, settings.transferMaximum),
      sunset: settings.sunsetDate === null ? null : new Date(settings.sunsetDate),
      owner: isDescribed ? (await this.registry.facts(caller.accountUid)).owner : undefined,
    };
  }
}

export function transferAppend(
  { caller, requestId, limits, sunset, owner }: TransferTerms,
  { destinationUid, amount, description }: TransferOrder,
  idempotency: IdempotentRequest | undefined,
): Append {
  const { partition, accountUid } = caller;
  const id = newId(partition);
  const subject = description ? owner : undefined;
  const request = { id, destinationUid, amount, description: subject && personal(subject, description!) };
  // An account of another partition belongs to another partner: it is not looked up.
  const reachable = partitionOf(destinationUid) === partition && destinationUid !== accountUid;
  return {
    partition,
    reads: { accounts: reachable ? [accountUid, destinationUid] : [accountUid] },
    creates: { transactions: [id] },
    subjects: subject && [subject],
    decide: (rows, at) => {
      const accounts = rows.of(accountProjection);
      const state = { source: accounts.get(accountUid)!, destination: accounts.get(destinationUid), limits, sunset };
      return decideTransfer(state, request, at);
    },
    metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
    idempotency: idempotency && { scope: accountUid, ...idempotency },
  };
}

export function settledTransfer({ events, replayed }: Outcome): SettledTransfer {
  const settled = events[0] as EventOf<typeof TransferSettled>;
  return { id: settled.data.id, settledAt: settled.time, replayed };
}
