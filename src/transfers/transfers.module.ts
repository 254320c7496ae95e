import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { RequestTransferController } from './commands/request-transfer/request-transfer.controller.js';
import { RequestTransferHandler } from './commands/request-transfer/request-transfer.handler.js';
import { RequestTransfersController } from './commands/request-transfers/request-transfers.controller.js';
import { RequestTransfersHandler } from './commands/request-transfers/request-transfers.handler.js';
import { TransferAppends } from './commands/transfer-append.js';

@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [RequestTransferController, RequestTransfersController],
  providers: [RequestTransferHandler, RequestTransfersHandler, TransferAppends],
})
export class TransfersModule {}
