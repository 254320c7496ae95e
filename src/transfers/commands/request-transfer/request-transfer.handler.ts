import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, Registry } from '../../../accounts/index.js';
import { type EventOf, Ledger, newId, partitionOf, personal } from '../../../event-store/index.js';
import { decideTransfer } from '../../domain/transfer.decider.js';
import { TransferSettled } from '../../domain/transfer.events.js';
import { transferTerms } from '../../transfer-terms.js';
import { RequestTransfer, type SettledTransfer } from './request-transfer.command.js';

@CommandHandler(RequestTransfer)
export class RequestTransferHandler implements ICommandHandler<RequestTransfer> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
  ) {}

  async execute(command: RequestTransfer): Promise<SettledTransfer> {
    const { caller, destinationUid, amount } = command;
    const { partition, accountUid } = caller;
    const { settings } = await this.registry.partner(caller.partnerUid);
    const terms = transferTerms(settings);
    const subject = command.description ? (await this.registry.facts(accountUid)).owner : undefined;
    const id = newId(partition);
    const description = subject && personal(subject, command.description!);
    // An account of another partition belongs to another partner: it is not looked up.
    const reachable = partitionOf(destinationUid) === partition && destinationUid !== accountUid;
    const { events, replayed } = await this.ledger.execute({
      partition,
      reads: { accounts: reachable ? [accountUid, destinationUid] : [accountUid] },
      creates: { transactions: [id] },
      subjects: subject && [subject],
      decide: (rows, at) => {
        const accounts = rows.of(accountProjection);
        const state = { source: accounts.get(accountUid)!, destination: accounts.get(destinationUid), ...terms };
        return decideTransfer(state, { id, destinationUid, amount, description }, at);
      },
      metadata: { actor: `access-key:${caller.accessKey}`, requestId: command.requestId, correlation: id },
      idempotency: command.idempotency && { scope: accountUid, ...command.idempotency },
    });
    const settled = events[0] as EventOf<typeof TransferSettled>;
    return { id: settled.data.id, settledAt: settled.time, replayed };
  }
}
