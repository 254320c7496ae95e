import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

type Schema = Record<string, any>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly definition: Record<string, any>;
}

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_500);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Routes that answer something other than this API: the page of the documents and its files. */
const IGNORED = /^\/docs/;

let database: TestDatabase;
let service: Service;
let partner: TestPartner;
let token: string;
let document: Record<string, any>;
let operations: Operation[];
let known: string[];
const ajv = new Ajv({ strict: false });

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { PUBLIC_URL: 'http://pay.example.com' });
  partner = await new OperatorApi(service.url).partner(['1000.00', '50.00']);
  // The key that others may disable and revoke is not the one that this test calls with.
  const expendable = await new OperatorApi(service.url).post(`/accounts/${partner.accounts[1]}/access-keys`, {});
  known = [partner.uid, ...partner.accounts, expendable.accessKey];
  token = (await PartnerApi.login(service.url, partner.credentials)).token;
  document = (await call(service.url, 'GET', '/openapi.json')).body;
  ajv.addSchema(document, 'api');
  operations = Object.entries(document.paths as Record<string, Record<string, any>>)
    .filter(([path]) => !IGNORED.test(path))
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({ method, path, definition: item[method] })),
    );
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;

/** Values that break things, wherever they stand. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    true,
    [],
    {},
    "' or 1=1; drop table event --",
    '\u0000',
    '\ud800',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    'a\r\nset-cookie: x=1',
    '٠١٢',
    '0.00',
    '-1.00',
    '9999999999999.99',
    'x'.repeat(5_000),
    Array(10_000).fill(0),
    { constructor: { prototype: { polluted: true } } },
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly what a schema asks for, with known identifiers in it; sometimes what it does not. */
function valueOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const wanted = resolve(schema);
  return fc.oneof({ weight: 9, arbitrary: fitting(wanted, name) }, { weight: 1, arbitrary: hostile });
}

function fitting(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.allOf) return fitting(resolve(schema.allOf[0]), name);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'array') return fc.array(valueOf(schema.items ?? {}, name), { maxLength: 4 });
  if (schema.type === 'object' || schema.properties) {
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    return fc.record(Object.fromEntries(members.map(([member, inner]) => [member, valueOf(inner, member)])), {
      requiredKeys: members.map(([member]) => member).filter((member) => schema.required?.includes(member)),
    });
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') return fc.integer({ min: -1, max: 200 });
  const example = schema.example === undefined ? [] : [schema.example];
  if (/uid|account|credit|id$/i.test(name)) return fc.constantFrom(...example, ...known);
  if (/amount|value|minimum|maximum|charge|original/i.test(name)) {
    return fc.constantFrom(...example, '1.00', '0.01', '10.5', '2.97', '3.98', '100000.00');
  }
  return fc.oneof(fc.constantFrom(...example, 'texto'), fc.string({ maxLength: 30 }));
}

function requestFor({
  method,
  path,
  definition,
}: Operation): fc.Arbitrary<{ path: string; body: unknown; key: string | undefined }> {
  const parameters = (definition.parameters ?? []) as { in: string; name: string; schema?: Schema }[];
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const text = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter(isSegment) },
      { weight: 1, arbitrary: fc.constantFrom('x', '%00', '...', `${name}'--`) },
    );
  const body = definition.requestBody?.content?.['application/json']?.schema as Schema | undefined;
  return fc.record({
    path: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, text(name)]))).chain((values) =>
      fc
        .record(
          Object.fromEntries(
            inQuery.map(({ name, schema }) => [
              name,
              valueOf(schema ?? {}, name)
                .map((value) => String(value).slice(0, 500))
                .filter(isWellFormed),
            ]),
          ),
          { requiredKeys: [] },
        )
        .map((query) => {
          const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
          const search = new URLSearchParams(query as Record<string, string>).toString();
          return search ? `${filled}?${search}` : filled;
        }),
    ),
    body: method === 'get' ? fc.constant(undefined) : body ? valueOf(body) : fc.constantFrom(undefined, {}),
    key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined }),
  });
}

const isWellFormed = (text: string) => text.isWellFormed();
/** Dots alone are not a segment: HTTP clients resolve them into another path. */
const isSegment = (text: string) => isWellFormed(text) && !/^\.{1,2}$/.test(text);

describe('any request', () => {
  it('gets a documented answer that fits its schema, and never a 500', async () => {
    const any = fc
      .constantFrom(...operations)
      .chain((operation) => requestFor(operation).map((request) => ({ operation, request })));
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(any, async ({ operation, request }) => {
        const { method, path, definition } = operation;
        const answer = await call(service.url, method.toUpperCase(), request.path, {
          token: path.startsWith('/admin') ? ADMIN_TOKEN : token,
          body: request.body,
          headers: request.key === undefined ? {} : { 'idempotency-key': request.key },
        });
        const where = `${method} ${path} ${answer.status}`;
        seen.set(where, (seen.get(where) ?? 0) + 1);
        if (answer.status === 500) throw new Error(`${where}: ${JSON.stringify(answer.body)}`);
        const documented = definition.responses[answer.status];
        // A path parameter may have made it another route, or none.
        if (!documented && [404, 405].includes(answer.status) && answer.body?.error?.message) return;
        if (!documented) throw new Error(`${where} is not documented: ${JSON.stringify(answer.body)}`);
        const schema = documented.content?.['application/json']?.schema;
        if (!schema || typeof answer.body === 'string') return;
        const pointer = `api#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/responses/${answer.status}/content/application~1json/schema`;
        const validate = ajv.getSchema(pointer)!;
        if (!validate(answer.body))
          throw new Error(`${where}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(answer.body)}`);
      }),
      { numRuns: RUNS },
    );
    if (process.env.FUZZ_REPORT)
      console.log(
        [...seen]
          .sort()
          .map(([where, times]) => `${where} × ${times}`)
          .join('\n'),
      );
    expect(new Set([...seen.keys()].map((where) => where.split(' ').slice(0, 2).join(' '))).size).toBeGreaterThan(
      operations.length * 0.8,
    );
    await assertLedgerSound(database);
  }, 600_000);
});
