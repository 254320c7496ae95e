import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { ERROR_REASONS } from '../../src/platform/errors/index.js';
import { webhookBody } from '../../src/webhooks/domain/webhook-body.js';

/** What generators of clients need of the document. */

type Schema = Record<string, any>;
const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Schema;
const document = await read('openapi.json');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.values(document.paths as Schema).flatMap((path) => METHODS.flatMap((one) => path[one] ?? []));

const ajv = formats.default(new Ajv({ strict: false })).addSchema(document, 'api');

const resolved = (one: Schema): Schema =>
  one.$ref ? (document.components.responses[(one.$ref as string).split('/').at(-1)!] as Schema) : one;

/** Members of this name, at any depth. */
const valuesOf = (node: unknown, name: string): unknown[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(value, name)]);

describe('the OpenAPI document', () => {
  it('names every operation as a method of a client, once', () => {
    const ids = operations.map(({ operationId }) => operationId as string);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]{3,}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['logIn', 'requestTransfer', 'requestCashIn', 'requestCashOut']));
  });

  it('has what is sent to partners, at the routes that take an address too', () => {
    const { transactionChanged, ...others } = document.webhooks;
    const takers = operations.filter(({ callbacks }) => callbacks).map(({ operationId }) => operationId as string);
    expect(takers).toEqual(expect.arrayContaining(['requestCashIn', 'requestCashOut', 'setAccountWebhook']));
    const callbacks = operations.flatMap(({ callbacks }) => Object.entries((callbacks ?? {}) as Schema));
    // Generators make a function of each name.
    const names = callbacks.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [name, callback] of callbacks)
      expect(Object.values(callback)).toEqual([others[name] ?? transactionChanged]);
    expect(names).toEqual(expect.arrayContaining(['cashInChanged', 'cashOutChanged', ...Object.keys(others)]));
    for (const { post } of Object.values<Schema>(others)) {
      expect(post.parameters).toEqual(transactionChanged.post.parameters);
    }
    const headers = transactionChanged.post.parameters.map(({ name }: Schema) => name as string);
    expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  });

  it('names the reasons that each route may refuse with', () => {
    const at = (path: string, status: number) =>
      valuesOf(document.paths[path].post.responses[status], 'reason').flatMap((reason) => (reason as Schema).enum);
    expect(at('/partners-int/accounts/transfer', 422)).toEqual([
      'BalanceLimitExceeded',
      'CustomerAccountInsufficientFunds',
      'DestinationAccountIsNotActive',
      'TooManyScheduled',
      'TransferNotAvailableForAccountClass',
      'TransferToSameAccountNotAllowed',
    ]);
    const named = new Set(
      valuesOf([document.paths, document.components], 'reason').flatMap((one) => (one as Schema | null)?.enum ?? []),
    );
    // No request is answered so: data is forgotten on the command line, a payout for later runs by itself.
    const ofNoRoute = ['RetentionPeriodRuns', 'RecipientForgotten'];
    const everywhere = ERROR_REASONS.map(([reason]) => reason).filter((reason) => !ofNoRoute.includes(reason));
    expect([...named].sort()).toEqual(everywhere.sort());
  });

  it('has what an error tells beside its shape', () => {
    const validatorOf = (path: string, status: number) => {
      const text = JSON.stringify(
        resolved(document.paths[path].post.responses[status]).content['application/json'].schema,
      );
      return ajv.compile(JSON.parse(text.replaceAll('"#/', '"api#/')) as Schema);
    };
    const errorOf = (name: string, more: object) => ({ statusCode: 'Error', error: { name, code: name, ...more } });
    const notApplied = errorOf('OperationError', { details: { reason: 'NotApplied' } });
    const item = { idempotencyKey: 'a', status: 422, ...notApplied };
    const ofBatch = validatorOf('/partners-int/accounts/transfers/batch', 422);
    expect(ofBatch({ ...notApplied, data: { items: [item], counts: { done: 0, error: 1 } } })).toBe(true);
    expect(ofBatch(notApplied)).toBe(false);
    const malformed = (more: object) => errorOf('InvalidInputError', { message: 'why', details: [], ...more });
    const ofFile = validatorOf('/partners-int/payouts/files', 400);
    const told = [{}, { faults: 101 }, { faults: 'many' }].map((more) => ofFile(malformed(more)));
    expect(told).toEqual([true, true, false]);
  });

  it('has schemas that its own examples keep', () => {
    const contents = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses as Schema).flatMap(({ content }) => {
        const { schema, example } = content?.['application/json'] ?? {};
        return example === undefined ? [] : [{ operationId, schema, example }];
      }),
    );
    expect(contents.length).toBeGreaterThan(70);
    const inside = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as Schema;
    const broken = contents.filter(({ schema, example }) => !ajv.validate(inside(schema), example));
    expect(broken.map(({ operationId }) => operationId as string)).toEqual([]);
  });

  describe('success answers', () => {
    const byName = (name: string) => document.components.schemas[name] as Schema;
    const nameOf = ({ $ref }: Schema) => ($ref as string).split('/').at(-1)!;
    const isTyped = (schema: Schema) => ['type', '$ref', 'allOf', 'anyOf', 'enum'].some((one) => one in schema);
    const isEnum = (schema: Schema): boolean =>
      schema.$ref
        ? isEnum(byName(nameOf(schema)))
        : 'enum' in schema || [...(schema.allOf ?? []), ...(schema.anyOf ?? [])].some(isEnum);
    const successes = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses as Schema).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema as Schema | undefined;
        return status.startsWith('2') && schema ? [{ operationId: operationId as string, schema }] : [];
      }),
    );
    const reached = new Set<string>();
    /** Members with where they stand, those of components that are referred to under the component's name. */
    const membersOf = (schema: Schema, at: string): [at: string, member: Schema][] => {
      const named = schema.$ref ? nameOf(schema) : undefined;
      if (named) {
        if (reached.has(named)) return [];
        reached.add(named);
        return membersOf(byName(named), named);
      }
      const own = [
        ...Object.entries((schema.properties ?? {}) as Schema),
        ...(schema.items ? [['[]', schema.items]] : []),
      ];
      const found = own.map(([name, one]) => [`${at}.${name}`, one] as [string, Schema]);
      const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])] as Schema[];
      return [
        ...found.flatMap(([where, member]) => [[where, member] as [string, Schema], ...membersOf(member, where)]),
        ...parts.flatMap((part) => membersOf(part, at)),
      ];
    };
    const members = successes.flatMap(({ operationId, schema }) => membersOf(schema, operationId));

    it('are named components, alone, under `data`, or as the items of a page', () => {
      const partsOf = ({ data }: Schema) => [data, data.properties?.items?.items].filter(Boolean) as Schema[];
      // With `dryRun`, a route that answers 200 has two.
      const isNamed = (schema: Schema): boolean =>
        schema.anyOf?.every(isNamed) ??
        (schema.$ref !== undefined || partsOf(schema.properties).some(({ $ref }) => $ref !== undefined));
      expect(successes.filter(({ schema }) => !isNamed(schema)).map(({ operationId }) => operationId)).toEqual([]);
    });

    it('have a type in every member, and names in every state, status and type', () => {
      expect(members.length).toBeGreaterThan(300);
      expect(members.filter(([, member]) => !isTyped(member)).map(([at]) => at)).toEqual([]);
      const ofFew = members.filter(([at]) =>
        /\.((?!http)\w*[sS]tat(e|us)|\w*[tT]ype|class|role|kind|by|outcome)$/.test(at),
      );
      // What stands in a log or queue for ever is named by whoever wrote it, in this version or another.
      const open = [
        'AuditedEvent.type',
        ...['CaseStep.by', 'CaseStep.type'],
        ...['DeliveryView.type', 'FailingDeliveryView.type', 'InspectedDelivery.type'],
        ...['InspectedStatementLine.kind', 'QueueView.kind', 'StatementLine.kind'],
      ];
      expect(
        ofFew
          .filter(([, member]) => !isEnum(member))
          .map(([at]) => at)
          .sort(),
      ).toEqual(open);
    });

    it('say of amounts, times and identifiers what they look like', () => {
      const isPlain = ({ type, format, pattern }: Schema) => [type].flat().includes('string') && !(format ?? pattern);
      const exact =
        /\.(amount|available|held|blocked|released|executed|charges|balanceAfter|\w+(At|Until)|(\w+)?[dD]ate|(\w*U)?uid|position)$/;
      const plain = members.filter(([at, member]) => exact.test(at) && isPlain(member));
      expect(plain.map(([at]) => at)).toEqual([]);
    });
  });

  it('tells of a notification what is sent', () => {
    const at = '2026-11-20T14:04:05.123Z';
    const fields = {
      ...{ id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e', transactionState: 'Error', transactionDate: at },
      ...({ transactionAmount: '10.00', transactionType: 'Debit', transactionPaymentType: 'PIX' } as const),
      ...{ transactionOrderId: '', transactionCharges: '0.00', webhookUrl: 'https://partner.example/' },
      ...{ receiptToken: null, transactionReceiptDate: null, transactionReceiptVoucher: '' },
      ...{ stateRegisteredDate: at, stateCompletedDate: null },
      other: { stateErrorDate: at, stateErrorCause: 'AC07' },
    };
    const sealed = { fields, partyRole: 'recipient', party: null, description: null } as const;
    const sent = JSON.parse(webhookBody(sealed, { party: null, description: null, receipt: null })) as Schema;
    const validate = ajv.getSchema('api#/components/schemas/NotificationDto')!;
    expect([validate(sent), validate.errors]).toEqual([true, null]);
    expect(validate({ ...sent, transactionState: 'Other' })).toBe(false);
    const { properties } = document.components.schemas.NotificationDto;
    expect(Object.keys(sent).filter((name) => !Object.hasOwn(properties, name))).toEqual([]);
  });

  it('is OpenAPI 3.1, and 3.0 for generators that lag: null is a type in one, a flag in the other', async () => {
    const older = await read('openapi-3.0.json');
    expect([document.openapi, older.openapi]).toEqual(['3.1.0', '3.0.3']);
    expect(Object.keys(older.paths)).toEqual(Object.keys(document.paths));
    const nullable = valuesOf(document, 'type').filter((type) => Array.isArray(type) && type.includes('null'));
    expect(nullable.length).toBeGreaterThan(50);
    expect(valuesOf(document, 'nullable')).toEqual([]);
    const ofReferences = valuesOf(document, 'type').filter((type) => type === 'null');
    expect(ofReferences.length).toBeGreaterThan(5);
    expect(valuesOf(older, 'nullable')).toHaveLength(nullable.length + ofReferences.length);
    expect(valuesOf(older, 'type').filter((type) => Array.isArray(type) || type === 'null')).toEqual([]);
  });
});
