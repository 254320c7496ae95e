import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { RequestTransferController } from './commands/request-transfer/request-transfer.controller.js';
import { RequestTransferHandler } from './commands/request-transfer/request-transfer.handler.js';

@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [RequestTransferController],
  providers: [RequestTransferHandler],
})
export class TransfersModule {}
