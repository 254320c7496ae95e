import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, partitionOf, personal, scoped } from '../../../event-store/index.js';
import { accountProjection } from '../../account.projection.js';
import { placeHold } from '../../domain/hold.decider.js';
import { evolveHold } from '../../domain/hold.js';
import { Registry } from '../../registry.js';
import { type PlacedHold, PlaceHold } from './place-hold.command.js';

@CommandHandler(PlaceHold)
export class PlaceHoldHandler implements ICommandHandler<PlaceHold> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
  ) {}

  async execute({ uid, order, actor, requestId, idempotency, preview }: PlaceHold): Promise<PlacedHold> {
    const { owner } = await this.registry.facts(uid);
    const partition = partitionOf(uid)!;
    const id = newId(partition);
    const note = order.note ? personal(owner, order.note) : undefined;
    const { events, replayed } = await this.ledger.execute(
      {
        partition,
        reads: { accounts: [uid] },
        creates: { holds: [id] },
        subjects: note && [owner],
        decide: (rows, at) => placeHold(rows.of(accountProjection).get(uid)!, { ...order, id, note }, at),
        metadata: { actor, requestId, correlation: id },
        idempotency: scoped(uid, idempotency),
      },
      preview,
    );
    return { hold: evolveHold(undefined, events[0]!), replayed };
  }
}
