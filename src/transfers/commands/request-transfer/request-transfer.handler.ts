import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { type AcceptedTransfer, acceptedTransfer, transferAppend, TransferAppends } from '../transfer-append.js';
import { RequestTransfer } from './request-transfer.command.js';

@CommandHandler(RequestTransfer)
export class RequestTransferHandler implements ICommandHandler<RequestTransfer> {
  constructor(
    private readonly ledger: Ledger,
    private readonly appends: TransferAppends,
  ) {}

  async execute(command: RequestTransfer): Promise<AcceptedTransfer> {
    const callerContext = await this.appends.contextOf(command.caller, [command]);
    const append = transferAppend(callerContext, command, command.requestId, command.idempotency);
    return acceptedTransfer(await this.ledger.execute(append, command.preview));
  }
}
