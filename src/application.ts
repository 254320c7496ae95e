import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { AuditorGuard } from './audit/index.js';
import { AdminGuard, isCounted, isOfPartners, Limits, PartnerGuard } from './auth/index.js';
import { serveConsole } from './console/index.js';
import type { Config } from './platform/config/index.js';
import type { Database } from './platform/database/index.js';
import type { CallerCheck } from './platform/http/body-faults.js';
import { ErrorFilter } from './platform/http/error.filter.js';
import { setUpOpenApi } from './platform/http/openapi.js';
import { OPERATIONS, serveOnlyOperations } from './platform/http/operations-only.js';
import { createHttpServer } from './platform/http/server.js';
import { MetricsRegistry } from './platform/observability/metrics-registry.js';
import { createLogger, PinoLoggerService } from './platform/observability/pino-logger.js';
import { observeRequests } from './platform/observability/request-observer.js';
import { Tracing } from './platform/observability/tracing/index.js';
import { Peers } from './platform/workers/index.js';

/**
 * The whole application over a migrated database; nothing connects before it is initialised.
 * @param tracing closed by the caller, after the application
 * @param peers the other workers of the service, where it has several
 */
export async function createApplication(
  config: Config,
  database: Database,
  tracing = new Tracing(undefined),
  logger: Logger = createLogger(config.logLevel, tracing),
  peers = new Peers(),
): Promise<NestFastifyApplication> {
  const { adapter, routes } = createHttpServer(config, isCounted);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, database, tracing, peers),
    adapter,
    {
      bodyParser: false,
      logger: new PinoLoggerService(logger),
      abortOnError: false,
    },
  );
  const filter = new ErrorFilter(routes, callersOf(app));
  app.useGlobalFilters(filter);
  const fastify = adapter.getInstance<FastifyInstance>();
  tracing.tracer?.observe(fastify, OPERATIONS);
  observeRequests(fastify, app.get(MetricsRegistry).registry, logger, tracing);
  if (config.role === 'worker') {
    serveOnlyOperations(fastify);
  } else {
    app.get(Limits, { strict: false }).addHeaders(fastify);
    app.get(PartnerGuard, { strict: false }).beforeLongBodies(fastify);
    setUpOpenApi(app, fastify);
    await serveConsole(app, config, (...thrown) => filter.answer(...thrown));
  }
  return app;
}

/** The guards, for requests that are refused before their routes are reached. */
function callersOf(app: NestFastifyApplication): CallerCheck {
  const partners = app.get(PartnerGuard, { strict: false });
  const operators = app.get(AdminGuard, { strict: false });
  const auditors = app.get(AuditorGuard, { strict: false });
  return async (request, reply) => {
    const { url = '' } = request.routeOptions;
    if (isOfPartners(url)) await partners.authenticate(request, reply);
    else if (url.startsWith('/admin/')) await operators.authenticate(request);
    else if (url.startsWith('/audit/')) await auditors.authenticate(request);
  };
}
