import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type EventOf, Ledger, partitionOf, scoped } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { accountProjection } from '../../account.projection.js';
import { releaseHold } from '../../domain/hold.decider.js';
import type { HoldReleased } from '../../domain/hold.events.js';
import { HoldCases } from '../../hold-cases.js';
import { holdProjection } from '../../hold.projection.js';
import { Registry } from '../../registry.js';
import { type HoldMovement, ReleaseHold } from './release-hold.command.js';

@CommandHandler(ReleaseHold)
export class ReleaseHoldHandler implements ICommandHandler<ReleaseHold> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly cases: HoldCases,
  ) {}

  async execute({ uid, id, amount, actor, requestId, idempotency, preview }: ReleaseHold): Promise<HoldMovement> {
    await this.registry.facts(uid);
    const partition = partitionOf(uid)!;
    if (partitionOf(id) !== partition) throw new EntityNotFound('HoldEntity', 'id', id);
    const decidedBy = await this.cases.of(partition, id);
    const { events, replayed } = await this.ledger.execute(
      {
        partition,
        reads: { accounts: [uid], holds: [id] },
        decide: (rows, at) => {
          const state = {
            account: rows.of(accountProjection).get(uid)!,
            hold: rows.of(holdProjection).get(id),
            decidedBy,
          };
          return releaseHold(state, id, amount, at);
        },
        metadata: { actor, requestId, correlation: id },
        idempotency: scoped(uid, idempotency),
      },
      preview,
    );
    const { data, time } = events[0] as EventOf<typeof HoldReleased>;
    return { id, amount: BigInt(data.amount), closed: data.closed, date: time, replayed };
  }
}
