import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf } from '../../../event-store/index.js';
import { accountProjection } from '../../account.projection.js';
import { expireHold } from '../../domain/hold.decider.js';
import { holdProjection } from '../../hold.projection.js';
import { ExpireHold } from './expire-hold.command.js';

@CommandHandler(ExpireHold)
export class ExpireHoldHandler implements ICommandHandler<ExpireHold> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ accountUid, id }: ExpireHold): Promise<void> {
    await this.ledger.execute({
      partition: partitionOf(id)!,
      reads: { accounts: [accountUid], holds: [id] },
      decide: (rows, at) => {
        const account = rows.of(accountProjection).get(accountUid)!;
        return expireHold({ account, hold: rows.of(holdProjection).get(id) }, at);
      },
      metadata: { actor: 'timer', correlation: id },
    });
  }
}
