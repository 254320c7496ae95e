import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from './accounts/index.js';
import { AuditModule } from './audit/index.js';
import { AuthModule } from './auth/index.js';
import { ConsoleModule } from './console/index.js';
import { DEFAULT_LANE, EventStoreModule } from './event-store/index.js';
import { InspectionModule } from './inspection/index.js';
import { MedModule } from './med/index.js';
import { OperatorModule } from './operator/index.js';
import type { Config } from './platform/config/index.js';
import type { Database } from './platform/database/index.js';
import type { Tracing } from './platform/observability/tracing/index.js';
import type { Peers } from './platform/workers/index.js';
import { PlatformModule } from './platform/platform.module.js';
import { PayoutFilesModule } from './payout-files/index.js';
import { PixModule } from './pix/index.js';
import { SchedulesModule } from './schedules/index.js';
import { TransfersModule } from './transfers/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** Composition, nothing else. */
@Module({})
export class AppModule {
  static forRoot(config: Config, database: Database, tracing: Tracing, peers: Peers): DynamicModule {
    const pix = PixModule.on(config.pixRail);
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        PlatformModule.forRoot(config, database, tracing, peers),
        EventStoreModule.forRoot({
          masterKey: config.secrets.masterKey,
          lane: { ...DEFAULT_LANE, batchSize: config.batchSize, queueSize: config.queueSize },
          partitions: config.partitions,
          runsBackground: config.role !== 'api',
        }),
        AuditModule,
        AuthModule,
        AccountsModule,
        TransfersModule,
        pix,
        MedModule.over(pix),
        SchedulesModule.over(pix),
        PayoutFilesModule,
        WebhooksModule,
        OperatorModule,
        InspectionModule,
        ConsoleModule.on(config.console.enabled),
      ],
    };
  }
}
