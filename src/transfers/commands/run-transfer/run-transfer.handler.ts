import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  accountProjection,
  assertUnchanged,
  Registry,
  transactionProjection,
  whenFundsCome,
} from '../../../accounts/index.js';
import { Ledger, type WorkResult } from '../../../event-store/index.js';
import { runTransfer } from '../../domain/scheduled-transfer.decider.js';
import { transferTerms } from '../../transfer-terms.js';
import { RunTransfer } from './run-transfer.command.js';

@CommandHandler(RunTransfer)
export class RunTransferHandler implements ICommandHandler<RunTransfer> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
  ) {}

  async execute({ transfer, work: { partition, attempts } }: RunTransfer): Promise<WorkResult> {
    const { id, accountUid } = transfer;
    const destinationUid = transfer.counterpartyUid!;
    const { partnerUid } = await this.registry.facts(accountUid);
    const { settings } = await this.registry.partner(partnerUid);
    return whenFundsCome(transfer, attempts, () =>
      this.ledger.execute({
        partition,
        reads: { accounts: [accountUid, destinationUid], transactions: [id], scheduledTransactions: [id] },
        decide: (rows, at) => {
          assertUnchanged(transfer, rows.of(transactionProjection).get(id)!);
          const accounts = rows.of(accountProjection);
          const source = accounts.get(accountUid)!;
          const state = { source, destination: accounts.get(destinationUid), ...transferTerms(settings) };
          return runTransfer(state, transfer, at);
        },
        metadata: { actor: 'timer', correlation: id },
      }),
    );
  }
}
