import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { errorTables } from '../errors/index.js';
import { ERROR_SCHEMAS, errorAnswer } from './answers.js';
import { describeRateLimits } from './rate-limit-headers.js';
import { headersBelow } from './security-headers.js';
import { shareComponents } from './shared-components.js';

/** The page loads its own scripts, styles and images, and calls this service; it sets styles inline, but no scripts. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The OpenAPI document of all routes. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Partner Payments Service')
    .setDescription(
      'Accounts, internal transfers and Pix for partners. Amounts are strings with a dot and two decimals (BRL); times are UTC.\n\n' +
        `# Errors\n\n${errorTables()}`,
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Token of POST /partners-int/login' })
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'One of ADMIN_TOKEN' }, 'operator')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Credential of POST /admin/auditors' }, 'auditor')
    .addCookieAuth('console', { type: 'apiKey', in: 'cookie', description: 'POST /console/session' }, 'console')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  Object.assign(document.components!.schemas!, ERROR_SCHEMAS);
  // What HTTP itself refuses of any request that may carry a body.
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.post, path.put, path.patch, path.delete]) {
      for (const status of operation ? [413, 415] : []) operation!.responses[status] ??= errorAnswer(status);
    }
  }
  describeRateLimits(document);
  shareComponents(document);
  return document;
}

/** Serves the document at `/openapi.json` and a page to try it at `/docs`. Both are made once, when first asked for. */
export function setUpOpenApi(app: INestApplication, fastify: FastifyInstance): void {
  headersBelow(fastify, '/docs', { 'content-security-policy': PAGE_POLICY });
  let document: OpenAPIObject | undefined;
  let text: string | undefined;
  const make = () => (document ??= openApiDocument(app));
  // Nest's own routes would write the document out for every request, as YAML too.
  SwaggerModule.setup('docs', app, make, { raw: false });
  fastify.get('/openapi.json', (_request, reply) =>
    reply.type('application/json').send((text ??= JSON.stringify(make()))),
  );
}
