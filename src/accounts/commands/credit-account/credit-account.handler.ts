import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type EventOf, Ledger, newId, partitionOf, personal, scoped } from '../../../event-store/index.js';
import { accountProjection } from '../../account.projection.js';
import { systemAccount, systemAccountUid } from '../../domain/account.js';
import type { AccountCredited } from '../../domain/account.events.js';
import { creditAccount } from '../../domain/credit-account.decider.js';
import { Registry } from '../../registry.js';
import { type Credit, CreditAccount } from './credit-account.command.js';

@CommandHandler(CreditAccount)
export class CreditAccountHandler implements ICommandHandler<CreditAccount> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
  ) {}

  async execute({ uid, amount, reason, actor, requestId, idempotency, preview }: CreditAccount): Promise<Credit> {
    const { partnerUid, owner } = await this.registry.facts(uid);
    const partition = partitionOf(uid)!;
    const id = newId(partition);
    const funding = systemAccountUid(partnerUid, partition, 'operator-funding');
    const { events, replayed } = await this.ledger.execute(
      {
        partition,
        reads: { accounts: [uid, funding] },
        subjects: [owner],
        decide: (rows) => {
          const accounts = rows.of(accountProjection);
          const state = { account: accounts.get(uid)!, funding: systemAccount(accounts, funding, 'operator-funding') };
          return creditAccount(state, { id, amount, reason: personal(owner, reason) });
        },
        metadata: { actor, requestId, correlation: id },
        idempotency: scoped(uid, idempotency),
      },
      preview,
    );
    const credited = events[0] as EventOf<typeof AccountCredited>;
    return { id: credited.data.id, uid, amount: BigInt(credited.data.amount), date: credited.time, replayed };
  }
}
