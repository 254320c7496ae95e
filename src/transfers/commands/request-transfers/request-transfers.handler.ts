import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, scoped } from '../../../event-store/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type AcceptedTransfer, acceptedTransfer, transferAppend, TransferAppends } from '../transfer-append.js';
import { RequestTransfers } from './request-transfers.command.js';

@CommandHandler(RequestTransfers)
export class RequestTransfersHandler implements ICommandHandler<RequestTransfers> {
  constructor(
    private readonly ledger: Ledger,
    private readonly appends: TransferAppends,
  ) {}

  async execute(command: RequestTransfers): Promise<readonly (AcceptedTransfer | AppError)[]> {
    const { caller, mode, transfers, requestId, idempotency, preview } = command;
    const callerContext = await this.appends.contextOf(caller, transfers);
    const requestIdempotency = scoped(caller.accountUid, idempotency);
    const appends = transfers.map((transfer) => ({
      ...transferAppend(callerContext, transfer, requestId, transfer.idempotency),
      requestIdempotency,
    }));
    const together = { owner: caller.partnerUid, atomic: mode === 'atomic' };
    const results = await this.ledger.executeAll(appends, together, preview);
    return results.map((result) => (result instanceof AppError ? result : acceptedTransfer(result)));
  }
}
