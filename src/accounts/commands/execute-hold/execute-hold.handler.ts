import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type EventOf, Ledger, partitionOf, scoped } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { accountProjection } from '../../account.projection.js';
import { systemAccount, systemAccountUid } from '../../domain/account.js';
import { executeHold } from '../../domain/hold.decider.js';
import type { HoldExecuted } from '../../domain/hold.events.js';
import { HoldCases } from '../../hold-cases.js';
import { holdProjection } from '../../hold.projection.js';
import { Registry } from '../../registry.js';
import type { HoldMovement } from '../release-hold/release-hold.command.js';
import { ExecuteHold } from './execute-hold.command.js';

@CommandHandler(ExecuteHold)
export class ExecuteHoldHandler implements ICommandHandler<ExecuteHold> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly cases: HoldCases,
  ) {}

  async execute(command: ExecuteHold): Promise<HoldMovement> {
    const { uid, id, amount, destination, actor, requestId, idempotency, preview } = command;
    const { partnerUid } = await this.registry.facts(uid);
    const partition = partitionOf(uid)!;
    if (partitionOf(id) !== partition) throw new EntityNotFound('HoldEntity', 'id', id);
    const decidedBy = await this.cases.of(partition, id);
    const executed = systemAccountUid(partnerUid, partition, 'executed-holds');
    const { events, replayed } = await this.ledger.execute(
      {
        partition,
        reads: { accounts: [uid, executed], holds: [id] },
        decide: (rows, at) => {
          const accounts = rows.of(accountProjection);
          const state = {
            account: accounts.get(uid)!,
            hold: rows.of(holdProjection).get(id),
            decidedBy,
            executed: systemAccount(accounts, executed, 'executed-holds'),
          };
          return executeHold(state, id, { amount, destination }, at);
        },
        metadata: { actor, requestId, correlation: id },
        idempotency: scoped(uid, idempotency),
      },
      preview,
    );
    const { data, time } = events[0] as EventOf<typeof HoldExecuted>;
    return { id, amount: BigInt(data.amount), closed: data.closed, date: time, replayed };
  }
}
