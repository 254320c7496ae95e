import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from './accounts/index.js';
import { AuditModule } from './audit/index.js';
import { AuthModule } from './auth/index.js';
import { DEFAULT_LANE, EventStoreModule } from './event-store/index.js';
import { OperatorModule } from './operator/index.js';
import type { Config } from './platform/config/index.js';
import type { Database } from './platform/database/index.js';
import { PlatformModule } from './platform/platform.module.js';
import { PixModule } from './pix/index.js';
import { TransfersModule } from './transfers/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** Composition, nothing else. */
@Module({})
export class AppModule {
  static forRoot(config: Config, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        PlatformModule.forRoot(config, database),
        EventStoreModule.forRoot({
          masterKey: config.secrets.masterKey,
          lane: { ...DEFAULT_LANE, queueSize: config.queueSize },
          follows: config.role !== 'api',
        }),
        AuditModule,
        AuthModule,
        AccountsModule,
        TransfersModule,
        PixModule.on(config.pixRail),
        WebhooksModule,
        OperatorModule,
      ],
    };
  }
}
