import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { CancelTransferHandler } from './commands/cancel-transfer/cancel-transfer.handler.js';
import { RequestTransferController } from './commands/request-transfer/request-transfer.controller.js';
import { RequestTransferHandler } from './commands/request-transfer/request-transfer.handler.js';
import { RunTransferHandler } from './commands/run-transfer/run-transfer.handler.js';
import { ScheduleTransferHandler } from './commands/schedule-transfer/schedule-transfer.handler.js';
import { ScheduledTransfers } from './scheduled-transfers.js';

@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [RequestTransferController],
  providers: [
    CancelTransferHandler,
    RequestTransferHandler,
    RunTransferHandler,
    ScheduleTransferHandler,
    ScheduledTransfers,
  ],
  exports: [ScheduledTransfers],
})
export class TransfersModule {}
