import { Module } from '@nestjs/common';
import { RAIL_NOTIFICATIONS } from '../rails/rail-notifications.js';
import { PixTransactionsModule } from '../transactions/pix-transactions.module.js';
import { InfractionInbox } from './infraction-inbox.js';
import { RailInbox } from './rail-inbox.js';

/** The receiver of the adapters' notifications. It depends on no adapter. */
@Module({
  imports: [PixTransactionsModule],
  providers: [InfractionInbox, RailInbox, { provide: RAIL_NOTIFICATIONS, useExisting: RailInbox }],
  exports: [InfractionInbox, RAIL_NOTIFICATIONS],
})
export class RailInboxModule {}
