const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7' };
const webhook = { url: 'https://partner.example/hooks', customHeaderName: 'X-Api-Key', customHeaderValue: 'a-secret' };
const transaction = { orderId: 'order-1', orderDescription: 'Supplier' };
const transfer = { refAccountCredit: 'uid', transferAmount: '10.50', transferDescription: 'Rent' };
const cashOut = {
  payment: {
    value: '10.50',
    key: { value: '52998224725', type: 'CPF' },
    recipient: { name: 'Maria Silva', cpf: '52998224725', account: { ...account, type: 'PaymentAccount' } },
  },
  transaction,
  webhook,
};
const person = { name: 'Maria Silva', taxNumber: '52998224725' };
const totals = { payment: '1.00', day: '1.00', night: '1.00', month: '1.00' };
const amounts = Object.fromEntries(
  ['transferMinimum', 'transferMaximum', 'cashInMinimum', 'cashInMaximum', 'cashOutMinimum', 'cashOutMaximum']
    .concat('cashOutNightMaximum', 'cashInCharge', 'cashOutCharge')
    .map((name) => [name, '1.00']),
);

/** A good body with every member, for each class of bodies and the file that it is in. */
export const GOOD_BODIES: readonly (readonly [file: string, name: string, body: Record<string, unknown>])[] = [
  ['auth/commands/login/login.dto', 'LoginDto', { accessKey: 'key', secret: 'sk_1' }],
  ['operator/accounts.dto', 'ReasonDto', { reason: 'r' }],
  ['operator/accounts.dto', 'CreditDto', { amount: '10.00', reason: 'r' }],
  [
    'operator/accounts.dto',
    'AccessKeyDto',
    { name: 'n', permissions: [], expiresAt: '2027-12-31T23:59:59Z', allowedIps: ['::1'] },
  ],
  [
    'operator/holds.dto',
    'PlaceHoldDto',
    { amount: '10.00', cause: 'Judicial', reference: 'r', retryUntil: '2036-12-31T23:59:59Z', note: 'n' },
  ],
  ['operator/holds.dto', 'ReleaseHoldDto', { amount: '10.00' }],
  [
    'operator/holds.dto',
    'ExecuteHoldDto',
    { amount: '10.00', destination: { kind: 'JudicialTransfer', reference: 'r' } },
  ],
  ['operator/holds.dto', 'ReturnHoldDto', { amount: '10.00', code: 'FR01' }],
  [
    'operator/cautionary-rules.dto',
    'CautionaryRuleDto',
    {
      name: 'n',
      amountAbove: '10.00',
      payerUnknown: true,
      payerInstitution: '60701190',
      timeOfDay: { from: '22:00', to: '06:00' },
      companies: true,
      hours: 72,
    },
  ],
  [
    'operator/payout-limits.dto',
    'PayoutLimitsDto',
    {
      ...totals,
      payoutsPerHour: 1,
      nightStartsAt: '22:00',
      own: totals,
      others: totals,
      payee: { day: '1.00', night: '1.00' },
    },
  ],
  ['operator/payout-limits.dto', 'AmountLimitsDto', totals],
  ['operator/payout-limits.dto', 'RegisterContactDto', { ...person, limits: totals }],
  ['operator/partners.dto', 'RegisterPartnerDto', person],
  ['operator/partners.dto', 'OpenAccountDto', { ...person, type: 'PaymentAccount', class: 'Standard' }],
  [
    'operator/partners.dto',
    'PartnerSettingsDto',
    { ...amounts, sunsetDate: '2027-01-31', uniqueOrderIds: true, accountDecides: true },
  ],
  [
    'pix/commands/request-cash-out/request-cash-out.dto',
    'RequestCashOutDto',
    { ...cashOut, transaction: { ...transaction, scheduledFor: '2027-01-04', retryUntil: '2027-01-05' } },
  ],
  [
    'pix/commands/request-cash-out/request-cash-out.dto',
    'PayoutLineDto',
    {
      payment: { value: '10.50', recipient: { name: 'Maria Silva', cpf: '52998224725', account } },
      transaction,
      webhook,
    },
  ],
  [
    'pix/commands/request-cash-in/request-cash-in.dto',
    'RequestCashInDto',
    {
      payment: {
        value: { original: '10.50' },
        payer: { name: 'Maria Silva', cpf: '52998224725', account, validationAccounts: [account, account] },
      },
      transaction: { ...transaction, expiresIn: 3600 },
      webhook,
    },
  ],
  ['pix/queries/decode-code/decode-code.dto', 'DecodeCodeDto', { qrCode: '0002' }],
  ['pix/commands/refund-cash-in/refund-cash-in.dto', 'RefundCashInDto', { amount: '5.00', reason: 'r' }],
  [
    'pix/rails/sandbox/payments.dto',
    'SandboxPaymentDto',
    { qrCode: '0002', amount: '1.00', payer: { ...account, type: 'PaymentAccount', ...person } },
  ],
  [
    'pix/rails/sandbox/infractions.controller',
    'SandboxInfractionDto',
    { endToEndId: 'E1', amount: '1.00', reason: 'Scam', details: 'd' },
  ],
  ['pix/rails/sandbox/infractions.controller', 'SandboxAcceptanceDto', { amount: '1.00' }],
  [
    'med/commands/defend-infraction/defend-infraction.dto',
    'DefenceDto',
    { text: 't', links: ['https://shop.example/1'] },
  ],
  ['med/commands/request-recovery/request-recovery.dto', 'RecoveryDto', { reason: 'Scam', details: 'd' }],
  ['operator/med.dto', 'DecisionDto', { decision: 'Agreed', amount: '1.00', note: 'n' }],
  [
    'pix/rails/sandbox/control.controller',
    'BehaviourDto',
    { notifications: 'drop', delayMs: 10, copies: 1, refunds: 'hold' },
  ],
  ['operator/reconciliation.controller', 'CloseCaseDto', { note: 'Paid by hand.' }],
  ['audit/auditors/auditors.controller', 'RegisterAuditorDto', { name: 'n', partnerUid: 'p' }],
  ['webhooks/dto/webhook-address.dto', 'WebhookAddressDto', webhook],
  [
    'transfers/commands/request-transfer/request-transfer.dto',
    'RequestTransferDto',
    { ...transfer, scheduledFor: '2027-01-04', retryUntil: '2027-01-05' },
  ],
  [
    'schedules/schedules.dto',
    'CreateScheduleDto',
    { every: 'month', startsOn: '2027-01-31', count: 12, until: '2027-12-31', retryForHours: 24, transfer, cashOut },
  ],
  [
    'pix/commands/request-cash-outs/request-cash-outs.dto',
    'RequestCashOutsDto',
    { mode: 'independent', items: [{ idempotencyKey: 'k', transaction, webhook }] },
  ],
  [
    'transfers/commands/request-transfers/request-transfers.dto',
    'RequestTransfersDto',
    { mode: 'atomic', items: [{ idempotencyKey: 'k', refAccountCredit: 'uid', transferAmount: '10.50' }] },
  ],
  ['console/session/session.controller', 'SignInDto', { credential: 'aud_1' }],
  ['inspection/queries/deliveries/deliveries.controller', 'RedeliverHostDto', { host: 'partner.example' }],
];
