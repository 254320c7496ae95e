import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { expireCashIn } from '../../domain/cash-in.decider.js';
import { appendTo } from '../../transactions/append-to.js';
import { ExpireCashIn } from './expire-cash-in.command.js';

@CommandHandler(ExpireCashIn)
export class ExpireCashInHandler implements ICommandHandler<ExpireCashIn> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ cashIn }: ExpireCashIn): Promise<void> {
    await this.ledger.execute(
      appendTo(cashIn, { actor: 'timer', decide: ({ transaction }) => expireCashIn(transaction) }),
    );
  }
}
