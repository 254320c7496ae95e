import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { errorTables } from '../errors/index.js';
import { describeHeaders } from './answer-headers.js';
import { ERROR_SCHEMAS, errorAnswer } from './error-answers.js';
import { describePermissions } from './permissions-needed.js';
import { headersBelow } from './security-headers.js';
import { METHODS, shareComponents } from './shared-components.js';

type PathItem = OpenAPIObject['paths'][string];
type SchemaObject = Readonly<Record<string, unknown>> & {
  readonly [part in 'allOf' | 'anyOf']?: readonly { readonly $ref?: string; readonly type?: string }[];
};

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
    .setOpenAPIVersion('3.1.0')
    .setVersion('1')
    // The URL of the server of this document.
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Token of POST /partners-int/login' })
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'One of ADMIN_TOKEN' }, 'operator')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Credential of POST /admin/auditors' }, 'auditor')
    .addCookieAuth('console', { type: 'apiKey', in: 'cookie', description: 'POST /console/session' }, 'console')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: clientMethod });
  Object.assign(document.components!.schemas!, ERROR_SCHEMAS);
  for (const path of Object.values(document.paths)) {
    // Routes without security are declared public.
    for (const method of METHODS) if (path[method]) path[method].security ??= [];
    // HTTP's own refusals of requests with a body.
    for (const operation of [path.post, path.put, path.patch, path.delete]) {
      for (const [name, callback] of Object.entries(operation?.callbacks ?? {})) {
        const webhook = /cash(In|Out)Changed$/i.test(name) ? 'transactionChanged' : name;
        document.webhooks = { ...document.webhooks, [webhook]: Object.values(callback)[0] as PathItem };
      }
      for (const status of operation ? [413, 415] : []) operation!.responses[status] ??= errorAnswer(status);
    }
  }
  describePermissions(document);
  describeHeaders(document);
  shareComponents(document);
  return withoutLoneAllOf(document);
}

/** Unwraps an `allOf` with a single reference, as the decorators write enums. */
function withoutLoneAllOf(document: OpenAPIObject): OpenAPIObject {
  return JSON.parse(JSON.stringify(document), (_, value: SchemaObject | null) =>
    value?.allOf?.length === 1 && Object.keys(value).length === 1 ? value.allOf[0] : value,
  ) as OpenAPIObject;
}

/** Operation ids are handler names. Auditors share a class with some of the operator's routes. */
function clientMethod(controller: string, handler: string): string {
  return /^Audit(?!Controller|ors)/.test(controller) ? `${handler}AsAuditor` : handler;
}

/** The document for generators without OpenAPI 3.1. */
export async function asOpenApi30(document: OpenAPIObject): Promise<object> {
  // Rarely requested: loaded then.
  const { Converter } = await import('@apiture/openapi-down-convert');
  // The converter supports null beside a type, not beside a reference.
  const prepared = JSON.parse(JSON.stringify(document), (_, value: SchemaObject | null) => {
    const [one, none] = value?.anyOf ?? [];
    if (!one?.$ref || none?.type !== 'null') return value;
    const { anyOf: _anyOf, ...rest } = value!;
    const { type } = document.components!.schemas![one.$ref.split('/').at(-1)!] as { type?: string };
    return { ...rest, type, allOf: [one], nullable: true };
  }) as OpenAPIObject;
  return new Converter(prepared).convert();
}

/**
 * Serves the document at `/openapi.json`, as 3.0 at `/openapi-3.0.json`, and a page to try it at `/docs`. Each is built
 * once, at its first request.
 */
export function setUpOpenApi(app: INestApplication, fastify: FastifyInstance): void {
  headersBelow(fastify, '/docs', { 'content-security-policy': PAGE_POLICY });
  let document: OpenAPIObject | undefined;
  let text: string | undefined;
  let text30: Promise<string> | undefined;
  const make = () => (document ??= openApiDocument(app));
  // Nest's own routes would serialize the document for every request, as YAML too.
  SwaggerModule.setup('docs', app, make, { raw: false });
  fastify.get('/openapi.json', (_request, reply) =>
    reply.type('application/json').send((text ??= JSON.stringify(make()))),
  );
  fastify.get('/openapi-3.0.json', async (_request, reply) =>
    reply.type('application/json').send(await (text30 ??= asOpenApi30(make()).then((older) => JSON.stringify(older)))),
  );
}
