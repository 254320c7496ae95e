import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { partitionOf, personal, RareCommands } from '../../../event-store/index.js';
import { accountProjection, rowOfAccount } from '../../account.projection.js';
import { AccountActivated, AccountDeactivated } from '../../domain/account.events.js';
import { Registry } from '../../registry.js';
import { ChangeAccountStatus } from './change-account-status.command.js';

/** Idempotent: no event if the account has that status already. */
@CommandHandler(ChangeAccountStatus)
export class ChangeAccountStatusHandler implements ICommandHandler<ChangeAccountStatus> {
  constructor(
    private readonly commands: RareCommands,
    private readonly registry: Registry,
  ) {}

  async execute({ uid, change, reason, actor, requestId }: ChangeAccountStatus): Promise<void> {
    const { owner } = await this.registry.facts(uid);
    const [event, status] = change === 'activate' ? [AccountActivated, 'Active'] : [AccountDeactivated, 'Inactive'];
    await this.commands.execute(rowOfAccount(uid), {
      partition: partitionOf(uid)!,
      reads: { accounts: [uid] },
      subjects: [owner],
      decide: (rows) => {
        const account = rows.of(accountProjection).get(uid)!;
        if (account.status === status) return [];
        return [event.create(`account-${uid}`, account.version + 1, { uid, reason: personal(owner, reason) })];
      },
      metadata: { actor, requestId, correlation: uid },
    });
  }
}
