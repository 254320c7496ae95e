import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config/index.js';
import type { Database } from './platform/database/index.js';
import { ErrorFilter } from './platform/http/error.filter.js';
import { setUpOpenApi } from './platform/http/openapi.js';
import { createHttpServer } from './platform/http/server.js';
import { MetricsRegistry } from './platform/observability/metrics-registry.js';
import { createLogger, PinoLoggerService } from './platform/observability/pino-logger.js';
import { observeRequests } from './platform/observability/request-observer.js';

/** The whole application over a database that is migrated already; nothing connects before it is initialised. */
export async function createApplication(
  config: Config,
  database: Database,
  logger: Logger = createLogger(config.logLevel),
): Promise<NestFastifyApplication> {
  const { adapter, routes } = createHttpServer(config.trustedProxies);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config, database), adapter, {
    bodyParser: false,
    logger: new PinoLoggerService(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(new ErrorFilter(routes));
  observeRequests(adapter.getInstance<FastifyInstance>(), app.get(MetricsRegistry).registry, logger);
  setUpOpenApi(app);
  return app;
}
