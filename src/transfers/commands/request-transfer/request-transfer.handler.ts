import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { type SettledTransfer, settledTransfer, transferAppend, TransferAppends } from '../transfer-append.js';
import { RequestTransfer } from './request-transfer.command.js';

@CommandHandler(RequestTransfer)
export class RequestTransferHandler implements ICommandHandler<RequestTransfer> {
  constructor(
    private readonly ledger: Ledger,
    private readonly appends: TransferAppends,
  ) {}

  async execute(command: RequestTransfer): Promise<SettledTransfer> {
    const terms = await this.appends.terms(command.caller, command.requestId, [command]);
    const append = transferAppend(terms, command, command.idempotency);
    return settledTransfer(await this.ledger.execute(append, command.preview));
  }
}
