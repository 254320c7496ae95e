import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry, transactionProjection } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import {
  DuplicateRow,
  type EventOf,
  type IdempotencyKey,
  Ledger,
  LogContradicted,
  newId,
  type Outcome,
  personal,
  scoped,
} from '../../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail, type LocatedTransaction, PixTransactions } from '../../../pix/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { RecoveryIsOpen, RecoveryNotAvailable } from '../../domain/errors.js';
import { requestRecovery } from '../../domain/recovery.decider.js';
import type { RecoveryRequested } from '../../domain/recovery.events.js';
import { Recoveries } from '../../recoveries.js';
import { RequestRecovery } from './request-recovery.command.js';

/** One at a time for a payout: the table has no room for another, whoever asks at the same moment. */
@CommandHandler(RequestRecovery)
export class RequestRecoveryHandler implements ICommandHandler<RequestRecovery> {
  constructor(
    private readonly ledger: Ledger,
    private readonly transactions: PixTransactions,
    private readonly recoveries: Recoveries,
    private readonly registry: Registry,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async execute(command: RequestRecovery) {
    const { partition, accountUid } = command.caller;
    const key = scoped(accountUid, command.idempotency);
    const request = () =>
      this.#request(command, key).catch((error: unknown) => {
        if (!(error instanceof RecoveryIsOpen)) throw error;
        // Of two equal requests at once, the other may have opened it since the key was looked up.
        return this.ledger.unlessDone(partition, key, () => Promise.reject(error));
      });
    const { events, replayed } = await this.ledger.unlessDone(partition, key, request);
    return { id: (events[0] as EventOf<typeof RecoveryRequested>).data.id, replayed };
  }

  async #request(command: RequestRecovery, key: IdempotencyKey | undefined): Promise<Outcome> {
    const { caller, payoutId } = command;
    const payout = await this.transactions.byId(payoutId);
    if (payout?.transaction.type !== 'CashOut' || payout.accountUid !== caller.accountUid) {
      throw new EntityNotFound('TransactionEntity', 'id', payoutId);
    }
    if (!this.rail.capabilities.recovers) throw new RecoveryNotAvailable();
    if (await this.recoveries.isUnderWay(payoutId)) throw new RecoveryIsOpen();
    try {
      return await this.#append(command, await this.transactions.fromLog('cash-out', payoutId), key);
    } catch (error) {
      if (error instanceof DuplicateRow) throw new RecoveryIsOpen();
      throw error;
    }
  }

  async #append(
    { caller, reason, details, requestId }: RequestRecovery,
    { partition, partnerUid, transaction }: LocatedTransaction,
    idempotency: IdempotencyKey | undefined,
  ): Promise<Outcome> {
    const { owner } = await this.registry.facts(caller.accountUid);
    const request = { id: newId(partition), reason, details: personal(owner, details) };
    return this.ledger.execute({
      partition,
      reads: { transactions: [transaction.id] },
      creates: { recoveries: [request.id] },
      subjects: [owner],
      decide: (rows, at) => {
        const payout = rows.of(transactionProjection).get(transaction.id)!;
        // What of it came back since is not in its own events; what it paid, and by which name, is.
        if (payout.endToEndId !== transaction.endToEndId || payout.amount !== transaction.amount) {
          throw new LogContradicted(`The row of payout ${payout.id} contradicts its events`);
        }
        return requestRecovery(payout, partnerUid, request, at);
      },
      metadata: { actor: keyActor(caller), requestId, correlation: request.id },
      idempotency,
    });
  }
}
