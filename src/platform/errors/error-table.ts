/** `''` for the bare form, which has no name. */
type Name = readonly [
  name: string,
  status: number,
  shape: 'Validation' | 'Domain' | 'General' | 'Forbidden',
  when: string,
];
type Reason = readonly [reason: string, name: string, where: string];

/** Every error of the API. */
export const ERROR_NAMES: readonly Name[] = [
  ['InvalidInputError', 400, 'Validation', 'the body, query or a header is malformed; lists every fault'],
  ['InvalidInputError', 400, 'Domain', 'the input violates a rule, see the reasons below'],
  [
    'AuthenticationError',
    401,
    'General',
    'wrong credentials; a token that is missing, malformed, expired or whose key is no longer in use',
  ],
  ['AuthenticationError', 403, 'Domain', 'reason `CustomerAccountIsNotActive`: the account of the context is inactive'],
  [
    '',
    403,
    'Forbidden',
    'the key lacks the permission, the address is outside its allow-list; at login, the key is disabled or expired',
  ],
  [
    'EntityNotFound',
    404,
    'Domain',
    "`details` are `entityName`, `parameterName`, `parameterValue`, `message`; another partner's entity answers the same",
  ],
  ['RouteNotFound', 404, 'General', 'no such route'],
  ['MethodNotAllowed', 405, 'General', 'the route has other methods, listed in `Allow`'],
  ['ConflictError', 409, 'Domain', 'see the reasons below'],
  ['RequestTimeout', 408, 'General', 'the request was not complete within 30 s'],
  ['Gone', 410, 'General', 'the resource is no longer available'],
  ['PayloadTooLarge', 413, 'General', 'a body over 64 KiB; over 1 MiB for a batch, over 64 MiB for a payout file'],
  [
    'UnsupportedMediaType',
    415,
    'General',
    'a body of a type that the route does not take: `application/json` but for payout files',
  ],
  ['ExpectationFailed', 417, 'General', 'an `Expect` other than `100-continue`'],
  ['OperationError', 422, 'Domain', 'well-formed and authorized, but not possible in the present state'],
  ['TooManyRequests', 429, 'General', 'a limit of a key or an address, or of failed logins; with `Retry-After`'],
  ['HeadersTooLarge', 431, 'General', 'more than 100 headers, or 16 KiB of them'],
  ['InternalError', 500, 'General', 'an internal error of the service'],
  ['ServiceUnavailable', 503, 'General', 'nothing was done; with `Retry-After`'],
  [
    'OutcomeUnknown',
    503,
    'General',
    'the database failed during the commit, or the rail as it closed a charge; repeat with the same key, or read',
  ],
];

/** Every reason of a `Domain` error, those of the command line included. */
export const ERROR_REASONS = [
  ['TransferAmountMustBeGreaterThanZero', 'InvalidInputError', 'transfer'],
  ['AmountMustBeGreaterThanZero', 'InvalidInputError', "operator's credit; hold"],
  ['AmountBelowMinimum', 'InvalidInputError', "an amount below the operator's limit"],
  ['AmountAboveMaximum', 'InvalidInputError', "an amount above the operator's limit; a cash-in above 9999999999.99"],
  ['RetryTimeNotInFuture', 'InvalidInputError', 'hold that waits until a time that is over'],
  ['RuleWithoutCondition', 'InvalidInputError', 'rule of cautionary holds without a condition'],
  ['ScheduledForNotAllowed', 'InvalidInputError', 'a time that is over, or more than 366 days away'],
  ['RetryUntilNotAllowed', 'InvalidInputError', 'a time before `scheduledFor`, or more than 30 days after it'],
  ['ScheduleRunsNotAllowed', 'InvalidInputError', 'a schedule without any run, or with more than 60'],
  ['MinimumAboveMaximum', 'InvalidInputError', "operator's settings"],
  ['PaymentValueMustBeGreaterThanZero', 'InvalidInputError', 'cash-out, cash-in, refund'],
  ['AccountDigitIsRequired', 'InvalidInputError', 'cash-out by bank account alone, whose `number` is one character'],
  ['PaymentValueNotAboveCharge', 'InvalidInputError', 'cash-in that does not exceed its charge'],
  [
    'CustomerAccountIsNotActive',
    'AuthenticationError',
    'any command that moves money or creates a payment, from an inactive account',
  ],
  ['TransferNotAvailableForAccountClass', 'OperationError', 'transfer from a Legacy account after its sunset'],
  ['TransferToSameAccountNotAllowed', 'OperationError', 'transfer'],
  ['DestinationAccountIsNotActive', 'OperationError', "transfer; operator's credit"],
  ['CustomerAccountInsufficientFunds', 'OperationError', 'the available balance does not cover the amount'],
  ['PaymentLimitExceeded', 'OperationError', 'cash-out above the limit of one payout of the account'],
  ['PayoutsPerHourExceeded', 'OperationError', "cash-out beyond the account's number of payouts in an hour"],
  [
    'DayLimitExceeded',
    'OperationError',
    'cash-out beyond what the account may pay by day; what is `left`, until `from`',
  ],
  ['NightLimitExceeded', 'OperationError', 'the same by night'],
  ['MonthLimitExceeded', 'OperationError', 'the same in a month'],
  [
    'PayeeDayLimitExceeded',
    'OperationError',
    'cash-out beyond what one payee may get by day; what is `left`, until `from`',
  ],
  ['PayeeNightLimitExceeded', 'OperationError', 'the same by night'],
  ['ContactAlreadyRegistered', 'ConflictError', "the person is a secure contact of the account; the contact's `id`"],
  ['TooManyContacts', 'OperationError', 'one secure contact more than an account may have'],
  ['BalanceLimitExceeded', 'OperationError', "transfer, cash-in, operator's credit: an account cannot hold more"],
  ['TooManyScheduled', 'OperationError', 'more than 10,000 transactions of an account that wait for their time'],
  ['TooManySchedules', 'OperationError', 'more than 100 active schedules of an account'],
  ['HoldIsClosed', 'OperationError', 'release or execution of a hold that has ended'],
  ['HoldExceeded', 'OperationError', 'release, execution or return of more than the hold blocks'],
  ['HoldIsOfCase', 'OperationError', 'release or execution of a hold whose case (MED) has not ended; the `case`'],
  ['HoldIsOfNoDeposit', 'OperationError', 'return of a hold that blocked no deposit on its arrival'],
  ['ReturnExceedsReport', 'InvalidInputError', 'decision about a report (MED)'],
  ['DefenceNotPossible', 'OperationError', 'defence of a deposit (MED): late, or the second one'],
  ['InfractionIsDecided', 'OperationError', 'defence of, or decision about, a report that has been decided'],
  ['DecidedByRail', 'OperationError', 'decision about a report where the rail decides, or of another rail'],
  ['NothingToRecover', 'OperationError', 'recovery of a payout that is not completed, or has come back'],
  ['RecoveryPeriodExpired', 'OperationError', 'recovery more than 80 days after the payout'],
  ['RecoveryIsOpen', 'OperationError', 'recovery of a payout while another is under way'],
  ['RecoveryNotAvailable', 'OperationError', 'recovery, over a rail that opens none'],
  ['TooManyRules', 'OperationError', 'more rules of cautionary holds than a partner may have'],
  ['NotApplied', 'OperationError', 'atomic batch: another item was refused'],
  ['TransitionNotAllowed', 'OperationError', 'a transition that the present state does not allow'],
  ['TooManyPayoutFiles', 'OperationError', 'a file of payouts while five of the account run'],
  ['RefundExceedsOriginal', 'OperationError', 'refund above the remaining amount of a cash-in'],
  ['RefundPeriodExpired', 'OperationError', 'refund more than 90 days after completion'],
  ['CashOutNotAvailable', 'OperationError', 'cash-out over a rail that only receives'],
  ['KeyAccountCheckNotAvailable', 'OperationError', 'cash-out by key and account over a rail that cannot compare them'],
  ['AccountTypeNotAvailable', 'OperationError', 'cash-out to an account of a type that the rail does not support'],
  ['RecipientForgotten', 'OperationError', 'scheduled cash-out whose recipient was forgotten before its time'],
  ['QrCodeKindNotSupported', 'OperationError', 'cash-out by a code for recurring payments or cash withdrawal'],
  ['QrCodeKeyInvalid', 'OperationError', 'cash-out by a code whose Pix key is invalid'],
  ['QrCodeUnreachable', 'OperationError', 'cash-out by a code whose charge could not be fetched'],
  ['QrCodeUnknown', 'OperationError', 'cash-out by a code whose charge its server does not know'],
  ['QrCodeSignatureInvalid', 'OperationError', 'cash-out by a code whose charge has no valid signature of its server'],
  ['QrCodePayloadInvalid', 'OperationError', 'cash-out by a code whose charge does not follow the rules of Pix'],
  ['QrCodeNotActive', 'OperationError', 'cash-out by a code that was paid or cancelled'],
  ['QrCodeExpired', 'OperationError', 'cash-out by a code that has expired'],
  [
    'QrCodeAmountRequired',
    'OperationError',
    'cash-out by a code that leaves the amount to the payer, without `payment.value`',
  ],
  ['QrCodeAmountMismatch', 'OperationError', 'cash-out by a code with a fixed amount other than `payment.value`'],
  ['QrCodeRecipientMismatch', 'OperationError', 'cash-out by a code whose payee is not `payment.recipient`'],
  [
    'PayerCannotBeVerified',
    'OperationError',
    'cash-in with an expected payer, over a rail that does not report the payer',
  ],
  ['ChargeRefusedByRail', 'OperationError', "cash-in whose charge the rail refused; `code` is the rail's reason"],
  ['NotUnderThisCheckpoint', 'InvalidInputError', 'proof of an event that the checkpoint does not cover'],
  ['WrongOrder', 'InvalidInputError', 'proof that a smaller tree begins with a larger one, or from nothing'],
  ['NothingCovered', 'OperationError', 'export of events that no signed checkpoint covers yet'],
  ['TreeNotYetCovered', 'OperationError', 'proof of a tree that the stored nodes do not cover yet'],
  ['RetentionPeriodRuns', 'OperationError', '`ledger forget`: the retention period is not over'],
  ['VerificationUnderWay', 'OperationError', 'a second verification at the same time'],
  ['IdempotencyKeyReuse', 'ConflictError', 'the same `Idempotency-Key` with another request'],
  [
    'OrderIdAlreadyUsed',
    'ConflictError',
    'a second cash-out or cash-in of an `orderId` (NFC, trimmed) that must be unique',
  ],
  ['TaxNumberAlreadyRegistered', 'ConflictError', 'a second partner with the same tax number'],
] as const satisfies readonly Reason[];

export type ErrorReason = (typeof ERROR_REASONS)[number][0];

/** The HTTP status of a reason. */
export function statusOfReason(reason: ErrorReason): number {
  return statusOf(ERROR_REASONS.find(([one]) => one === reason)![1]);
}

/**
 * The names and the reasons as the tables of decisions 2, in Markdown: of docs/errors.md and of the OpenAPI document.
 */
export function errorTables(): string {
  return [
    '## Names',
    '',
    ...table(
      ['name', 'HTTP', 'Shape', 'When'],
      ERROR_NAMES.map(([name, status, shape, when]) => [code(name) || '(none)', String(status), shape, when]),
    ),
    '',
    '## Reasons',
    '',
    ...table(
      ['reason', 'name', 'HTTP', 'Where'],
      ERROR_REASONS.map(([reason, name, where]) => [code(reason), code(name), String(statusOf(name)), where]),
    ),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

const code = (word: string) => word && `\`${word}\``;

const statusOf = (wanted: string) => ERROR_NAMES.find(([name, , shape]) => name === wanted && shape === 'Domain')![1];
