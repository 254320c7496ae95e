import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { formatAmount } from '../../../platform/money.js';
import { AuditedEvents } from '../events/audited-events.js';
import type { BalanceAtView } from './balance-at.answer.js';
import { BalanceAtReader } from './balance-at.js';
import { GetBalanceAt } from './balance-at.query.js';

@QueryHandler(GetBalanceAt)
export class GetBalanceAtHandler implements IQueryHandler<GetBalanceAt> {
  constructor(
    private readonly events: AuditedEvents,
    private readonly balances: BalanceAtReader,
  ) {}

  async execute({ auditor, uid, at, position }: GetBalanceAt): Promise<BalanceAtView> {
    const partition = await this.events.assertAccount(auditor, uid);
    const found = await this.balances.read(partition, uid, at, position);
    return {
      available: formatAmount(found.available),
      held: formatAmount(found.held),
      blocked: formatAmount(found.blocked),
      entry: found.entry,
      position: found.position === null ? null : String(found.position),
    };
  }
}
