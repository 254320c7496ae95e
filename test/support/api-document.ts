import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Answer } from './api.js';

export type Schema = Record<string, any>;

/**
 * The committed OpenAPI document, which CI compares with the routes: tests made from it cover a new route unnamed.
 * Answers and parameters that routes share stand with each of them; schemas stay references.
 */
export const DOCUMENT = withSharedInPlace(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8'));

function withSharedInPlace(text: string): Schema {
  const { components } = JSON.parse(text) as Schema;
  return JSON.parse(text, (_, value: Schema | null) => {
    const [, kind, name] = /^#\/components\/(responses|parameters)\/(.+)$/.exec(value?.$ref) ?? [];
    return kind && name ? components[kind][name] : value;
  }) as Schema;
}

export type Audience = 'public' | 'partner' | 'operator' | 'auditor' | 'console';

export interface Route {
  /** `post /partners-int/login` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly audience: Audience;
  /** A session of the console opens it too, or it alone does. */
  readonly takesSession: boolean;
  readonly definition: Schema;
  readonly body: Schema | undefined;
}

/** Routes that are meant to be open. A route that forgot its guard has no security in the document, and is not here. */
const PUBLIC = new Set([
  'get /health/live',
  'get /health/ready',
  'get /metrics',
  'get /checkpoints/{partition}',
  'get /.well-known/ledger-verifier-keys',
  'post /partners-int/login',
  'post /console/session',
  // It takes a session and ends it; without one there is nothing to end.
  'delete /console/session',
  'post /sandbox/pix/payments',
  'post /sandbox/pix/transactions/{id}/complete',
  'post /sandbox/pix/transactions/{id}/fail',
  'post /sandbox/pix/transactions/{id}/reverse',
  'post /sandbox/pix/infractions',
  'get /sandbox/pix/infractions/{id}',
  'post /sandbox/pix/infractions/{id}/cancel',
  'post /sandbox/pix/recoveries/{id}/accept',
  'post /sandbox/pix/recoveries/{id}/refuse',
  'get /sandbox/pix/behaviour',
  'put /sandbox/pix/behaviour',
  'get /pix/payload/{txid}',
  'get /pix/jwks',
  'get /pix/qrcode/{transactionId}',
  'get /pix/receipts/{transactionId}/{token}',
]);

/** By the credentials that open a route. What operators and auditors see is in the console, and nothing of partners. */
const BY_SCHEMES: Readonly<Record<string, Audience>> = {
  bearer: 'partner',
  'console operator': 'operator',
  'auditor console': 'auditor',
  console: 'console',
};

/** Whom a route of the document is for. @returns `undefined` where nobody said */
export function audienceOf(name: string, definition: Schema): Audience | undefined {
  const ways = ((definition.security ?? []) as Record<string, unknown>[]).map((one) => Object.keys(one));
  const isOpen = ways.length === 0 || ways.some((schemes) => schemes.length === 0);
  if (isOpen || PUBLIC.has(name)) return isOpen && PUBLIC.has(name) ? 'public' : undefined;
  // Two credentials at once are nobody's way in.
  return ways.every((schemes) => schemes.length === 1) ? BY_SCHEMES[ways.flat().sort().join(' ')] : undefined;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** Every operation of the document, classified or not. */
export const OPERATIONS = Object.entries(DOCUMENT.paths as Record<string, Record<string, Schema>>).flatMap(
  ([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      name: `${method} ${path}`,
      method,
      path,
      definition: item[method]!,
    })),
);

/** Every route, by whom it is for. */
export const ROUTES: readonly Route[] = OPERATIONS.flatMap((operation) => {
  const audience = audienceOf(operation.name, operation.definition);
  const [content] = Object.values<Schema>(operation.definition.requestBody?.content ?? {});
  const body = content?.schema as Schema | undefined;
  const takesSession = JSON.stringify(operation.definition.security ?? []).includes('"console"');
  return audience ? [{ ...operation, audience, takesSession, body }] : [];
});

/** @throws where there are none: a test of each of them would say nothing */
export function routesFor(audience: Audience): Route[] {
  const routes = ROUTES.filter((route) => route.audience === audience);
  if (routes.length === 0) throw new TypeError(`the document has no routes for ${audience}`);
  return routes;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export function parametersOf(route: Route, place: 'path' | 'query'): readonly Parameter[] {
  return ((route.definition.parameters ?? []) as Parameter[]).filter((one) => one.in === place);
}

export function resolveSchema(schema: Schema): Schema {
  if (schema.allOf?.length === 1) return resolveSchema(schema.allOf[0]);
  return schema.$ref ? resolveSchema(DOCUMENT.components.schemas[schemaName(schema)!]) : schema;
}

/** Name of a schema among the document's components. */
export function schemaName(schema: Schema): string | undefined {
  const reference = (schema.$ref ?? schema.allOf?.[0]?.$ref) as string | undefined;
  return reference?.split('/').at(-1);
}

// Code made for a few answers each: it costs more to make it shorter.
const ajv = formats.default(new Ajv({ strict: false, inlineRefs: false, code: { optimize: false } }));
ajv.addSchema(strict(structuredClone(DOCUMENT)), 'api');

/** A member that an answer's class does not have is one that nobody was told of; error bodies are put together. */
function strict(document: Schema): Schema {
  for (const [name, schema] of Object.entries<Schema>(document.components.schemas)) {
    if (schema.type === 'object' && !name.endsWith('Body')) schema.additionalProperties ??= false;
  }
  return document;
}

/** By their schemas: what a thousand answers of errors are like is said once. */
const validators = new Map<Schema, ValidateFunction>();

function validatorOf(route: Route, status: number, type: string, schema: Schema): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const path = route.path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  const pointer = `api#/paths/${path}/${route.method}/responses/${status}/content/${type.replace('/', '~1')}/schema`;
  const validate = ajv.getSchema(pointer)!;
  validators.set(schema, validate);
  return validate;
}

/** Why an answer is not what the document says of its route: its status, or its body. @returns `undefined` if it is */
export function undocumented(route: Route, answer: Pick<Answer, 'status' | 'body'>): string | undefined {
  const where = `${route.name} ${answer.status}`;
  const documented = route.definition.responses[answer.status];
  if (!documented) return `${where} is not documented: ${JSON.stringify(answer.body)}`;
  const type = Object.keys(documented.content ?? {})[0];
  if (!type || !/[/+]json$/.test(type)) return typeof answer.body === 'string' ? undefined : `${where} is not ${type}`;
  const validate = validatorOf(route, answer.status, type, documented.content[type].schema);
  if (validate(answer.body)) return undefined;
  return `${where}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(answer.body)}`;
}
