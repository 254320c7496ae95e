import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { type ApiPixSettings, type Config, CONFIG } from '../../../platform/config/index.js';
import { RailInboxModule } from '../../inbox/rail-inbox.module.js';
import { apiPixProviders } from '../bcb/api-pix.providers.js';
import { API_PIX_DIALECT } from '../bcb/dialect.js';
import { MutualTls } from '../bcb/mutual-tls.js';
import { BcbNotificationsController } from '../bcb/notifications.controller.js';
import { NOTIFICATION_RECEIVER } from '../bcb/notifications.js';
import { API_PIX } from '../bcb/settings.js';
import { AccountBalance } from './account-balance.js';
import { AccountConfig } from './account-config.js';
import { efiDialect } from './dialect.js';
import { EfiInfractionRail } from './efi-infraction-rail.js';
import { EfiRail } from './efi-rail.js';
import { EfiNotifications } from './notifications.js';
import { SentList } from './sent-list.js';
import { SentPayments } from './sent-payments.js';

/** The PSP Efí: the shared API Pix, and sending beside it. */
@Module({
  imports: [RailInboxModule],
  controllers: [BcbNotificationsController],
  providers: [
    ...apiPixProviders,
    AccountBalance,
    AccountConfig,
    EfiInfractionRail,
    EfiNotifications,
    EfiRail,
    SentList,
    SentPayments,
    { provide: API_PIX, inject: [CONFIG], useFactory: ({ efi }: Config): ApiPixSettings => efi! },
    { provide: API_PIX_DIALECT, inject: [CONFIG], useFactory: ({ efi }: Config) => efiDialect(efi!) },
    { provide: NOTIFICATION_RECEIVER, useExisting: EfiNotifications },
  ],
  exports: [EfiInfractionRail, EfiRail],
})
export class EfiRailModule implements OnApplicationShutdown {
  constructor(private readonly http: MutualTls) {}

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
