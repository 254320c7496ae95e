import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { RailInboxModule } from '../../inbox/rail-inbox.module.js';
import { apiPixProviders } from './api-pix.providers.js';
import { BcbRail } from './bcb-rail.js';
import { API_PIX_DIALECT, STANDARD } from './dialect.js';
import { MutualTls } from './mutual-tls.js';
import { BcbNotificationsController } from './notifications.controller.js';
import { BcbNotifications, NOTIFICATION_RECEIVER } from './notifications.js';
import { bcbSettings } from './settings.js';

/** A PSP behind the BCB's standard API Pix. */
@Module({
  imports: [RailInboxModule],
  controllers: [BcbNotificationsController],
  providers: [
    ...apiPixProviders,
    BcbRail,
    bcbSettings,
    { provide: API_PIX_DIALECT, useValue: STANDARD },
    { provide: NOTIFICATION_RECEIVER, useExisting: BcbNotifications },
  ],
  exports: [BcbRail],
})
export class BcbRailModule implements OnApplicationShutdown {
  constructor(private readonly http: MutualTls) {}

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
