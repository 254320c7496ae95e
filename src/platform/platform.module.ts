import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { type Config, CONFIG } from './config/index.js';
import { Database } from './database/index.js';
import { DatabaseHealth, HealthController } from './health/health.controller.js';
import { MetricsController } from './observability/metrics.controller.js';
import { MetricsRegistry } from './observability/metrics-registry.js';

/** What every module stands on: configuration, database, metrics, health. */
@Module({})
export class PlatformModule {
  static forRoot(config: Config, database: Database): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController, MetricsController],
      providers: [
        DatabaseHealth,
        MetricsRegistry,
        { provide: CONFIG, useValue: config },
        { provide: Database, useValue: database },
      ],
      exports: [CONFIG, Database, MetricsRegistry],
    };
  }
}
