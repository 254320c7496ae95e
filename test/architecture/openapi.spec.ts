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
    const { transactionChanged } = document.webhooks;
    const takers = operations.filter(({ callbacks }) => callbacks).map(({ operationId }) => operationId as string);
    expect(takers.sort()).toEqual(['requestCashIn', 'requestCashOut']);
    const callbacks = operations.flatMap(({ callbacks }) => Object.entries((callbacks ?? {}) as Schema));
    // Generators make a function of each name.
    expect(callbacks.map(([name]) => name)).toEqual(['cashInChanged', 'cashOutChanged']);
    for (const [, callback] of callbacks) expect(Object.values(callback)).toEqual([transactionChanged]);
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
      'TransferNotAvailableForAccountClass',
      'TransferToSameAccountNotAllowed',
    ]);
    const named = new Set(
      valuesOf([document.paths, document.components], 'reason').flatMap((one) => (one as Schema).enum ?? []),
    );
    // Data is forgotten on the command line.
    const everywhere = ERROR_REASONS.map(([reason]) => reason).filter((reason) => reason !== 'RetentionPeriodRuns');
    expect([...named].sort()).toEqual(everywhere.sort());
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

  it('may only lose members of success answers that say too little', () => {
    const isTyped = (schema: Schema) =>
      ['type', '$ref', 'allOf', 'anyOf', 'oneOf', 'enum'].some((one) => one in schema);
    const membersOf = (schema: Schema): Schema[] =>
      [...Object.values((schema.properties ?? {}) as Schema), ...(schema.items ? [schema.items] : [])].flatMap(
        (member) => [member, ...membersOf(member)],
      );
    const successes = operations.flatMap(({ responses }) =>
      Object.entries(responses as Schema).flatMap(([status, { content }]) =>
        status.startsWith('2') ? (content?.['application/json']?.schema ?? []) : [],
      ),
    );
    const inPlace = successes.flatMap(membersOf);
    const untyped = inPlace.filter((member) => !isTyped(member)).length;
    const plain = inPlace.filter(({ $ref, enum: values, format, pattern }) => !($ref ?? values ?? format ?? pattern));
    // Lower these with what is mended; none may rise.
    expect({ untyped, plain: plain.length }).toEqual({ untyped: 49, plain: 1146 });
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
    expect(nullable.length).toBeGreaterThan(100);
    expect(valuesOf(document, 'nullable')).toEqual([]);
    expect(valuesOf(older, 'nullable')).toHaveLength(nullable.length);
    expect(valuesOf(older, 'type').filter(Array.isArray)).toEqual([]);
  });
});
