import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { type Config, CONFIG } from './config/index.js';
import { coldTables } from './database/cold-tables.js';
import { Database, Notifications } from './database/index.js';
import { DatabaseHealth, HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { MetricsController } from './observability/metrics.controller.js';
import { MetricsRegistry } from './observability/metrics-registry.js';
import { ProcessMetrics } from './observability/process-metrics.js';
import { ServiceMetrics } from './observability/service-metrics.js';
import { Tracing } from './observability/tracing/index.js';
import { CommandForwarding, Peers } from './workers/index.js';

/** The base of every module: configuration, database, metrics, traces, health. */
@Module({})
export class PlatformModule {
  static forRoot(config: Config, database: Database, tracing: Tracing, peers = new Peers()): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false }), coldTables],
      controllers: [HealthController, MetricsController],
      providers: [
        CommandForwarding,
        DatabaseHealth,
        ProcessMetrics,
        MetricsRegistry,
        Notifications,
        Readiness,
        ServiceMetrics,
        { provide: CONFIG, useValue: config },
        { provide: Database, useValue: database },
        { provide: Peers, useValue: peers },
        { provide: Tracing, useValue: tracing },
      ],
      exports: [CONFIG, Database, MetricsRegistry, Notifications, Peers, Readiness, Tracing],
    };
  }
}
