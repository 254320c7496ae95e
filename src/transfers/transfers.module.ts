import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { CancelTransferHandler } from './commands/cancel-transfer/cancel-transfer.handler.js';
import { RequestTransferController } from './commands/request-transfer/request-transfer.controller.js';
import { RequestTransferHandler } from './commands/request-transfer/request-transfer.handler.js';
import { RunTransferHandler } from './commands/run-transfer/run-transfer.handler.js';
import { RequestTransfersController } from './commands/request-transfers/request-transfers.controller.js';
import { RequestTransfersHandler } from './commands/request-transfers/request-transfers.handler.js';
import { TransferAppends } from './commands/transfer-append.js';
import { ScheduledTransfers } from './scheduled-transfers.js';

@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [RequestTransferController, RequestTransfersController],
  providers: [
    CancelTransferHandler,
    RequestTransferHandler,
    RequestTransfersHandler,
    RunTransferHandler,
    ScheduledTransfers,
    TransferAppends,
  ],
  exports: [ScheduledTransfers],
})
export class TransfersModule {}
