export { AccountsModule } from './accounts.module.js';
export { accountProjection } from './account.projection.js';
export { AddCautionaryRule } from './commands/add-cautionary-rule/add-cautionary-rule.command.js';
export { ChangeAccountStatus } from './commands/change-account-status/change-account-status.command.js';
export { ChangePartnerSettings } from './commands/change-partner-settings/change-partner-settings.command.js';
export { CreditAccount } from './commands/credit-account/credit-account.command.js';
export { ExecuteHold } from './commands/execute-hold/execute-hold.command.js';
export { ExpireHold } from './commands/expire-hold/expire-hold.command.js';
export { OpenAccount } from './commands/open-account/open-account.command.js';
export { PlaceHold } from './commands/place-hold/place-hold.command.js';
export { RegisterPartner, RegisteredPartner } from './commands/register-partner/register-partner.command.js';
export { type HoldMovement, ReleaseHold } from './commands/release-hold/release-hold.command.js';
export { RemoveCautionaryRule } from './commands/remove-cautionary-rule/remove-cautionary-rule.command.js';
export {
  RotatedWebhookSecret,
  RotateWebhookSecret,
} from './commands/rotate-webhook-secret/rotate-webhook-secret.command.js';
export { ChangeContact } from './commands/change-contact/change-contact.command.js';
export { RegisterContact } from './commands/register-contact/register-contact.command.js';
export { RemoveContact } from './commands/remove-contact/remove-contact.command.js';
export { SetDefaultLimits } from './commands/set-default-limits/set-default-limits.command.js';
export { SetPayoutLimits } from './commands/set-payout-limits/set-payout-limits.command.js';
export { type Account, systemAccount, systemAccountUid } from './domain/account.js';
export {
  ACCOUNT_CLASSES,
  ACCOUNT_TYPES,
  AccountOpened,
  type AccountClass,
  type AccountStatus,
  type AccountType,
} from './domain/account.events.js';
export { type AmountLimits, amountLimits, assertWithin } from './domain/amount-limits.js';
export { assertRoom, BALANCE_LIMIT, hasRoom, REPRESENTABLE } from './domain/balance-limit.js';
export {
  CustomerAccountInsufficientFunds,
  CustomerAccountIsNotActive,
  DestinationAccountIsNotActive,
  HoldExceeded,
  HoldIsOfNoDeposit,
  TransitionNotAllowed,
} from './domain/errors.js';
export { type CautionaryRule, MAX_CAUTIONARY_HOURS } from './domain/cautionary-rule.js';
export { balancesAfter } from './domain/fill-holds.js';
export { drawFromHold, type HeldAccount, placeHold, releaseHold, restoreToHold } from './domain/hold.decider.js';
export { blockedBy, type Hold } from './domain/hold.js';
export {
  EXECUTION_KINDS,
  type ExecutionDestination,
  HOLD_CAUSES,
  HOLD_STATUSES,
  type HoldCause,
  HoldDrawn,
  HoldExecuted,
  HoldFilled,
  HoldPlaced,
  HoldReleased,
  HoldRestored,
} from './domain/hold.events.js';
export { HoldCases } from './hold-cases.js';
export { holdProjection } from './hold.projection.js';
export { LoggedHolds } from './logged-holds.js';
export { describeNotification, type Notification, notificationOf, notifyingTypes } from './domain/notification.js';
export type { Partner } from './domain/partner.js';
export { DEFAULT_SETTINGS, PartnerRegistered, type PartnerSettings } from './domain/partner.events.js';
export type { AskedAmounts, AskedLimits, DefaultLimits, LimitName } from './domain/limit-terms.js';
export { type Payee, payeeOf, rowsOfPayee } from './domain/payees.js';
export { acceptsPayouts, needsActive } from './domain/payout-contradictions.js';
export { useWithinLimits } from './domain/payout-limit-check.js';
export {
  type CountedBy,
  countedBy,
  givenBack,
  type LimitUse,
  type PayoutLimits,
  withDefaults,
} from './domain/payout-limits.js';
export { dayOrNightOf } from './domain/payout-periods.js';
export { partySubject, taxpayer, transactionParty } from './domain/subjects.js';
export { followDefaults } from './domain/set-payout-limits.decider.js';
export { accountOfHold, type Filling, fillingAfter } from './domain/filling.js';
export { differs, movesOtherwise } from './domain/contradicted.js';
export { movesMoney, type Movement, post, type Posting } from './domain/posting.js';
export { ACCOUNT_EXAMPLE, ACCOUNT_STATUS, AccountView } from './queries/accounts/account-view.js';
export { GetAccount, GetAccountOwner, ListAccounts } from './queries/accounts/accounts.query.js';
export { DryRunBatchView, DryRunItem } from './queries/dry-run/dry-run-batch-view.js';
export { type DryRunPreview, DryRunView } from './queries/dry-run/dry-run-view.js';
export { previewFor } from './queries/dry-run/preview-for.js';
export {
  CAUTIONARY_RULE_EXAMPLE,
  CautionaryRuleView,
  showCautionaryRule,
} from './queries/cautionary-rules/cautionary-rule-view.js';
export { accountsOfPartner } from './queries/accounts/accounts-of-partner.js';
export { ListCautionaryRules } from './queries/cautionary-rules/cautionary-rules.query.js';
export { HoldRows } from './queries/holds/hold-rows.js';
export { HOLD_CHANGES, HoldNotification } from './queries/holds/hold-notifications.js';
export { HOLD_EXAMPLE, HoldView, showHold } from './queries/holds/hold-view.js';
export { OpenHolds } from './queries/holds/open-holds.js';
export { OpenHoldsView } from './queries/holds/open-holds.answer.js';
export { ListHolds } from './queries/holds/holds.query.js';
export { PARTNER_EXAMPLE, PartnerView, SettingsView, showSettings } from './queries/partners/partner-view.js';
export { GetPartner, ListPartners } from './queries/partners/partners.query.js';
export { StatementQuery } from './queries/statement/statement.controller.js';
export { GetStatement, STATEMENT_EXAMPLE, StatementLine } from './queries/statement/statement.query.js';
export { PAYOUT_LIMITS_EXAMPLE, PayoutLimitsView } from './queries/payout-limits/payout-limits-view.js';
export { DEFAULT_LIMITS_EXAMPLE, DefaultLimitsView } from './queries/payout-limits/default-limits-view.js';
export { CONTACT_EXAMPLE, SecureContactView } from './queries/secure-contacts/secure-contact-view.js';
export { GetContact, ListContacts } from './queries/secure-contacts/secure-contacts.query.js';
export { GetDefaultLimits, GetPayoutLimits } from './queries/payout-limits/payout-limits.query.js';
export { refundsAfter } from './queries/transactions/refunds-after.js';
export { ENTRIES_FOLLOWED, newestEntries, withBalances } from './queries/statement/account-entries.js';
export { describeEntries, entriesOf } from './domain/entry.js';
export { DeliveryStatuses } from './queries/transactions/delivery-statuses.js';
export { describePayment } from './queries/transactions/payment-description.js';
export { TransactionRows } from './queries/transactions/transaction-rows.js';
export {
  SUMMARY_EXAMPLE,
  summarise,
  NotificationsView,
  TRANSACTION_EXAMPLE,
  TRANSACTION_STATE,
  TRANSACTION_TYPE,
  TransactionSummary,
  TransactionView,
} from './queries/transactions/transaction-view.js';
export { GetTransaction } from './queries/transactions/transactions.query.js';
export { type AccountFacts, Registry } from './registry.js';
export {
  IsHoldRetryUntil,
  IsRetryUntil,
  IsScheduledFor,
  IsScheduleEnd,
  IsScheduleStart,
} from './scheduling/schedule-checks.js';
export type { Prepared } from './scheduling/prepared.js';
export { describeWaiting, scheduledProjection } from './scheduling/scheduled.projection.js';
export {
  assertSchedulable,
  MOST_SCHEDULED,
  parseEnd,
  parseStart,
  laterTerms,
  type LaterTerms,
  scheduleOf,
  type ScheduleTerms,
  storedTerms,
  type StoredTerms,
  TooManyScheduled,
} from './scheduling/schedule-terms.js';
export { cancelWaiting, assertUnchanged, carryOut, ownScheduled, whenFundsCome } from './scheduling/waiting.js';
export {
  compareTransaction,
  describeTransaction,
  evolvePartly,
  registeredAt,
  type Transaction,
  TRANSACTION_STATES,
  TRANSACTION_TYPES,
  type TransactionState,
  type TransactionType,
  WITHOUT_ENTRIES,
} from './transactions/transaction.js';
export { type Order, orderIdentity, orderKey, orderReads } from './transactions/orders.js';
export { listingOf, listsTransactions } from './transactions/listed.js';
export { LoggedTransactions, transactionOf } from './transactions/logged-transactions.js';
export { COMPLETE_AT_ONCE, transactionProjection, transactionTable } from './transactions/transaction.projection.js';
export { WebhookSecrets } from './webhook-secrets.js';
