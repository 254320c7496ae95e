import fc from 'fast-check';
import { DOCUMENT, type Schema, resolveSchema, schemaName } from './api-document.js';
import { cnpjOf } from './api.js';
import { EXTREME_MOMENTS } from './hostile-values.js';
import { Pick } from './known-things.js';

/** Values that the service takes, by the document's schemas; what a schema cannot say is said here, by its name. */

const PERMISSIONS: readonly string[] = DOCUMENT.components.schemas.AccessKeyDto.properties.permissions.items.enum;
const WEBHOOKS = new Pick('webhook url', 0);

const pick = (kind: string) => fc.nat(1_000).map((n) => new Pick(kind, n));
const text = fc.oneof(
  fc.constantFrom('Maria da Conceição', "O'Neill & Söhne", '支付 – 🧾', 'a'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter(isShowable),
);
const amount = fc.constantFrom('1.00', '1.5', '2', '2.97', '3.98', '1.98', '4.99', '5.96', '10.50');
const cpf = fc.constantFrom('52998224725', '529.982.247-25', '11144477735', '11222333000181', '12.ABC.345/01DE-35');
const cnpj = fc.integer({ min: 0, max: 999_999_999_999 }).map((n) => cnpjOf(String(n).padStart(12, '0')));
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const account = fc.record(
  {
    ispb: digits(8),
    branch: digits(4),
    number: digits(7),
    digit: digits(1),
    type: fc.constantFrom('CheckingsAccount', 'SavingsAccount', 'SalaryAccount', 'PaymentAccount'),
  },
  { requiredKeys: ['ispb', 'branch', 'number', 'digit'] },
);
const validationAccount = fc.record({ ispb: digits(8), branch: digits(4), number: digits(8) });
const header = fc.constantFrom({}, { customHeaderName: 'X-Api-Key', customHeaderValue: 'a b c' });
const webhook = header.map((given) => ({ url: WEBHOOKS, ...given }));
const person = { name: text, cpf };
const key = fc.constantFrom(
  { type: 'CPF', value: '529.982.247-25' },
  { type: 'cnpj', value: '11222333000181' },
  { type: 'EMAIL', value: 'Maria@Example.com' },
  { type: 'PHONE', value: '+5511999998888' },
  { type: 'EVP', value: '123e4567-e89b-12d3-a456-426614174000' },
  { type: 'EVP', value: '00000000-0000-0000-0000-000000000404' },
);
const moment = fc.constantFrom('2026-11-20', '2036-01-01', '2020-02-29T12:00:00.123Z', '2026-11-20T10:00:00-03:00');
/** What bounds a list may be at the ends of the calendar, where UTC is another year. */
const bound = fc.oneof({ weight: 4, arbitrary: moment }, { weight: 1, arbitrary: fc.constantFrom(...EXTREME_MOMENTS) });
const fraud = fc.constantFrom('Scam', 'AccountTakeover', 'Coercion', 'FraudulentAccess', 'Other');
const limits = (...values: string[]) => fc.constantFrom(null, ...values);
const totals = {
  payment: limits('100.00'),
  day: limits('5000.00', '0'),
  night: limits('1000.00'),
  month: limits('90000.00'),
};
const amountLimits = fc.record(totals, { requiredKeys: [] });

const BY_SCHEMA: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  LoginDto: pick('credentials'),
  SignInDto: fc.record({ credential: pick('credential') }),
  WebhookDto: webhook,
  WebhookAddressDto: webhook,
  PayerDto: fc.oneof(
    fc.record(person, { requiredKeys: [] }),
    fc.record({ ...person, account }, { requiredKeys: ['account'] }),
    fc.record({ ...person, validationAccounts: fc.array(validationAccount, { maxLength: 3 }) }),
  ),
  CashOutPaymentDto: fc.oneof(
    fc.record({ value: amount, key, recipient: fc.record(person, { requiredKeys: ['cpf'] }) }),
    fc.record({ value: amount, recipient: fc.record({ ...person, account }) }),
    fc.record({ value: amount, key, recipient: fc.record({ ...person, account }) }),
    fc.record({ qrCode: pick('qrCode') }),
  ),
  RefundCashInDto: fc.record({ amount: fc.constantFrom('0.01', '0.02'), reason: text }, { requiredKeys: ['amount'] }),
  DecodeCodeDto: fc.record({ qrCode: pick('qrCode') }),
  SandboxPaymentDto: fc.record(
    {
      qrCode: pick('qrCode'),
      payer: fc.record({
        name: text,
        taxNumber: cpf,
        ispb: digits(8),
        branch: digits(4),
        number: digits(7),
        digit: digits(1),
      }),
      amount,
    },
    { requiredKeys: ['qrCode', 'payer'] },
  ),
  PlaceHoldDto: fc.record(
    {
      amount: fc.constantFrom('1.00', '2'),
      cause: fc.constantFrom('Judicial', 'Med', 'Cautionary', 'Guarantee'),
      reference: text,
      retryUntil: fc.constantFrom('2036-12-31', '2036-12-31T23:59:59Z'),
      note: text,
    },
    { requiredKeys: ['amount', 'cause', 'reference'] },
  ),
  SandboxInfractionDto: fc.record(
    { endToEndId: pick('payment'), amount: fc.constantFrom('0.01', '0.50'), reason: fraud, details: text },
    { requiredKeys: ['endToEndId', 'reason'] },
  ),
  SandboxAcceptanceDto: fc.record({ amount: fc.constantFrom('0.01') }),
  DefenceDto: fc.record({ text, links: fc.constantFrom([], ['https://shop.example/1']) }, { requiredKeys: ['text'] }),
  RecoveryDto: fc.record({ reason: fraud, details: text }),
  DecisionDto: fc.record(
    { decision: fc.constantFrom('Agreed', 'Rejected'), amount: fc.constantFrom('0.01'), note: text },
    { requiredKeys: ['decision'] },
  ),
  ReleaseHoldDto: fc.record({ amount: fc.constantFrom('0.01', '0.02') }),
  ExecuteHoldDto: fc.record({
    amount: fc.constantFrom('0.01', '0.02'),
    destination: fc.record({
      kind: fc.constantFrom('JudicialTransfer', 'MedReturn', 'GuaranteePayment'),
      reference: text,
    }),
  }),
  CreateScheduleDto: fc.record({
    every: fc.constantFrom('week', 'month'),
    startsOn: fc.constant(daysAhead(30)),
    count: fc.constant(2),
    transfer: fc.record({ refAccountCredit: pick('destination'), transferAmount: amount }),
  }),
  CautionaryRuleDto: fc.record({ name: text, amountAbove: fc.constant('900000.00') }),
  RegisterPartnerDto: fc.record({ name: text, taxNumber: cnpj }),
  PartnerSettingsDto: fc.record(
    {
      transferMinimum: limits('0.01', '1.00'),
      transferMaximum: limits('5000.00'),
      cashInMinimum: limits('0.01', '0.50'),
      cashInMaximum: limits('5000.00'),
      cashOutMinimum: limits('0.01', '0.50'),
      cashOutMaximum: limits('5000.00'),
      cashOutNightMaximum: limits('1000.00'),
      cashInCharge: limits('0.00', '0.10'),
      cashOutCharge: limits('0.00', '0.10'),
      sunsetDate: limits('2027-01-31', '2027-01-31T10:00:00-03:00'),
      uniqueOrderIds: fc.boolean(),
      accountDecides: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  AmountLimitsDto: amountLimits,
  RegisterContactDto: fc.record({ name: text, taxNumber: cnpj, limits: amountLimits }),
  PayoutLimitsDto: fc.record(
    {
      ...totals,
      own: amountLimits,
      others: amountLimits,
      payee: fc.record({ day: totals.day, night: totals.night }, { requiredKeys: [] }),
      payoutsPerHour: fc.constantFrom(null, 0, 100),
      nightStartsAt: limits('20:00', '22:00'),
    },
    { requiredKeys: [] },
  ),
  AccessKeyDto: fc.record(
    {
      name: text,
      permissions: fc.subarray([...PERMISSIONS]),
      expiresAt: fc.constantFrom('2036-12-31', '2036-12-31T23:59:59Z'),
      allowedIps: fc.constantFrom(['127.0.0.0/8', '::1'], ['203.0.113.7']),
    },
    { requiredKeys: [] },
  ),
  BehaviourDto: fc.record(
    {
      notifications: fc.constant('deliver'),
      delayMs: fc.nat(3),
      copies: fc.integer({ min: 1, max: 2 }),
      refunds: fc.constantFrom('settle', 'settle', 'hold'),
    },
    { requiredKeys: [] },
  ),
};

const BY_MEMBER: readonly (readonly [RegExp, fc.Arbitrary<unknown>])[] = [
  [/^taxNumber$|^cpf$/, cpf],
  [/^partnerUid$/, fc.option(pick('partner'))],
  [
    /^refAccountCredit$/,
    fc.oneof({ weight: 4, arbitrary: pick('destination') }, { weight: 1, arbitrary: pick('account') }),
  ],
  [/amount$|^value$|^original$/i, amount],
  [/^expiresIn$/, fc.integer({ min: 60, max: 86_400 })],
  [/^idempotencyKey$/, fc.uuid()],
  [/^scheduledFor$/, seldom(daysAhead(30))],
  [/^retryUntil$/, seldom(daysAhead(31))],
  [/^orderId$/, fc.oneof(fc.constantFrom('order-1', 'order-2'), text)],
];

/** A value that fits a schema. */
export function valid(schema: Schema, member = ''): fc.Arbitrary<unknown> {
  const named = schemaName(schema);
  const special = named ? BY_SCHEMA[named] : BY_MEMBER.find(([pattern]) => pattern.test(member))?.[1];
  if (special) return special;
  const parts = schema.allOf as Schema[] | undefined;
  if (parts?.length === 1) return valid(parts[0]!, member);
  if (parts) return fc.tuple(...parts.map((part) => valid(part))).map((values) => Object.assign({}, ...values));
  const wanted = resolveSchema(schema);
  if (wanted.enum) return fc.constantFrom(...(wanted.enum as unknown[]));
  if (wanted.type === 'array') {
    return fc.array(valid(wanted.items as Schema), { minLength: Number(wanted.minItems ?? 0), maxLength: 3 });
  }
  if (wanted.type === 'boolean') return fc.boolean();
  if (wanted.type === 'integer' || wanted.type === 'number') return fc.integer({ min: 0, max: 100 });
  if (!wanted.properties) return text;
  const members = Object.entries(wanted.properties as Record<string, Schema>);
  return fc.record(Object.fromEntries(members.map(([name, inner]) => [name, valid(inner, name)])), {
    requiredKeys: (wanted.required ?? []) as string[],
  });
}

/** What a query parameter may be. */
export function validInQuery(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (name === 'limit') return fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 100 }));
  if (name === 'partition') return pick('partition');
  if (name === 'size' || name === 'to') return name === 'to' && schema.type !== 'integer' ? bound : pick('size');
  if (name === 'points') return fc.integer({ min: 2, max: 500 });
  if (schema.type === 'integer') return fc.integer({ min: 1, max: 6 });
  if (name === 'date') return fc.constantFrom('2026-11-19', '2026-11-20', '2027-02-28');
  if (name === 'from' || name === 'at') return bound;
  if (name === 'id' || name === 'transactionId') return pick('transaction');
  if (name === 'partner' || name === 'account' || name === 'txid') return pick(name);
  if (name === 'endToEndId') return pick('endToEndId');
  return valid(schema, name);
}

function isShowable(value: string): boolean {
  return value.length <= 64 && !/[\p{Cc}\p{Surrogate}\ufffe\uffff]/u.test(value);
}

/** Mostly not there. */
function seldom(value: string): fc.Arbitrary<string | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant(value) });
}

function daysAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
