import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { partitionOf, RareCommands } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { accountProjection, rowOfAccount } from '../../account.projection.js';
import { decidePayoutLimits } from '../../domain/set-payout-limits.decider.js';
import { Registry } from '../../registry.js';
import { SetPayoutLimits } from './set-payout-limits.command.js';

/** The account's own row has them, so that whichever process decides the next payout decides by them. */
@CommandHandler(SetPayoutLimits)
export class SetPayoutLimitsHandler implements ICommandHandler<SetPayoutLimits> {
  constructor(
    private readonly commands: RareCommands,
    private readonly registry: Registry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ uid, asked, actor, requestId }: SetPayoutLimits): Promise<void> {
    // Only accounts of a partner's own have any.
    const { partnerUid } = await this.registry.facts(uid);
    const { settings } = await this.registry.partner(partnerUid);
    const delayMs = this.config.limitRaiseDelaySeconds * 1000;
    await this.commands.execute(rowOfAccount(uid), {
      partition: partitionOf(uid)!,
      reads: { accounts: [uid] },
      decide: (rows, at) => {
        const account = rows.of(accountProjection).get(uid)!;
        return decidePayoutLimits(account, asked, { at, delayMs }, settings.payoutLimits);
      },
      metadata: { actor, requestId, correlation: uid },
    });
  }
}
