import { Module } from '@nestjs/common';
import { RAIL_NOTIFICATIONS } from '../rails/rail-notifications.js';
import { PixTransactionsModule } from '../transactions/pix-transactions.module.js';
import { RailInbox } from './rail-inbox.js';

/** The receiver of the adapters' notifications. It depends on no adapter. */
@Module({
  imports: [PixTransactionsModule],
  providers: [RailInbox, { provide: RAIL_NOTIFICATIONS, useExisting: RailInbox }],
  exports: [RAIL_NOTIFICATIONS],
})
export class RailInboxModule {}
