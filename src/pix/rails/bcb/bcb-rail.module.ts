import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { BcbSettings } from '../../../platform/config/index.js';
import { ApiPixClient } from './api-pix-client.js';
import { BcbRail } from './bcb-rail.js';
import { Cobs } from './cobs.js';
import { Devolucoes } from './devolucoes.js';
import { MutualTls } from './mutual-tls.js';
import { BcbNotificationsController } from './notifications.controller.js';
import { BcbNotifications } from './notifications.js';
import { ReceivedList } from './received-list.js';
import { BCB, bcbSettings } from './settings.js';
import { TokenSource } from './token-source.js';
import { WebhookRegistration } from './webhook-registration.js';

/** A PSP behind the BCB's standard API Pix. */
@Module({
  controllers: [BcbNotificationsController],
  providers: [
    BcbNotifications,
    BcbRail,
    Cobs,
    Devolucoes,
    ReceivedList,
    WebhookRegistration,
    bcbSettings,
    { provide: MutualTls, inject: [BCB], useFactory: (settings: BcbSettings) => new MutualTls(settings) },
    {
      provide: ApiPixClient,
      inject: [MutualTls, BCB],
      useFactory: (http: MutualTls, settings: BcbSettings) =>
        new ApiPixClient(http, new TokenSource(http, settings), settings),
    },
  ],
  exports: [BcbRail],
})
export class BcbRailModule implements OnApplicationShutdown {
  constructor(private readonly http: MutualTls) {}

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
