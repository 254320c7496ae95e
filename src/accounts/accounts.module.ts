import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { InlineProjections, Subscriptions } from '../event-store/index.js';
import { accountProjection } from './account.projection.js';
import { AddCautionaryRuleHandler } from './commands/add-cautionary-rule/add-cautionary-rule.handler.js';
import { ChangeAccountStatusHandler } from './commands/change-account-status/change-account-status.handler.js';
import { ChangeContactHandler } from './commands/change-contact/change-contact.handler.js';
import { ChangePartnerSettingsHandler } from './commands/change-partner-settings/change-partner-settings.handler.js';
import { CreditAccountHandler } from './commands/credit-account/credit-account.handler.js';
import { ExecuteHoldHandler } from './commands/execute-hold/execute-hold.handler.js';
import { ExpireHoldHandler } from './commands/expire-hold/expire-hold.handler.js';
import { OpenAccountHandler } from './commands/open-account/open-account.handler.js';
import { PlaceHoldHandler } from './commands/place-hold/place-hold.handler.js';
import { RegisterPartnerHandler } from './commands/register-partner/register-partner.handler.js';
import { RegisterContactHandler } from './commands/register-contact/register-contact.handler.js';
import { ReleaseHoldHandler } from './commands/release-hold/release-hold.handler.js';
import { RemoveCautionaryRuleHandler } from './commands/remove-cautionary-rule/remove-cautionary-rule.handler.js';
import { RemoveContactHandler } from './commands/remove-contact/remove-contact.handler.js';
import { RotateWebhookSecretHandler } from './commands/rotate-webhook-secret/rotate-webhook-secret.handler.js';
import { SetDefaultLimitsHandler } from './commands/set-default-limits/set-default-limits.handler.js';
import { SetPayoutLimitsHandler } from './commands/set-payout-limits/set-payout-limits.handler.js';
import { HoldCases } from './hold-cases.js';
import { holdProjection } from './hold.projection.js';
import { HomePartitions } from './home-partitions.js';
import { LookUpProof } from './look-up-proof.js';
import { partnerProjection, partnerTaxNumberProjection } from './partner.projection.js';
import { contactProjection } from './contact.projection.js';
import { payeeUsesProjection } from './payee-uses.projection.js';
import { AccountsController } from './queries/accounts/accounts.controller.js';
import {
  GetAccountHandler,
  GetAccountOwnerHandler,
  ListAccountsHandler,
} from './queries/accounts/accounts.handlers.js';
import { ListCautionaryRulesHandler } from './queries/cautionary-rules/cautionary-rules.handler.js';
import { GetPreviewHandler } from './queries/dry-run/dry-run.handler.js';
import { HoldsController } from './queries/holds/holds.controller.js';
import { LoggedHolds } from './logged-holds.js';
import { HoldRows } from './queries/holds/hold-rows.js';
import { ListHoldsHandler } from './queries/holds/holds.handler.js';
import { OpenHolds } from './queries/holds/open-holds.js';
import { GetPartnerHandler, ListPartnersHandler } from './queries/partners/partners.handlers.js';
import { PayoutLimitsController } from './queries/payout-limits/payout-limits.controller.js';
import { GetDefaultLimitsHandler, GetPayoutLimitsHandler } from './queries/payout-limits/payout-limits.handler.js';
import { SecureContactsController } from './queries/secure-contacts/secure-contacts.controller.js';
import { GetContactHandler, ListContactsHandler } from './queries/secure-contacts/secure-contacts.handlers.js';
import { entryProjection } from './queries/statement/entry.projection.js';
import { StatementController } from './queries/statement/statement.controller.js';
import { GetStatementHandler } from './queries/statement/statement.handler.js';
import { DeliveryStatuses } from './queries/transactions/delivery-statuses.js';
import { TransactionRows } from './queries/transactions/transaction-rows.js';
import { TransactionsController } from './queries/transactions/transactions.controller.js';
import {
  GetTransactionHandler,
  ListTransactionsHandler,
  TransactionShow,
} from './queries/transactions/transactions.handlers.js';
import { Registry } from './registry.js';
import { scheduledProjection } from './scheduling/scheduled.projection.js';
import { LoggedTransactions } from './transactions/logged-transactions.js';
import { transactionProjection } from './transactions/transaction.projection.js';
import { WebhookSecrets } from './webhook-secrets.js';

const commands = [
  AddCautionaryRuleHandler,
  ChangeContactHandler,
  ChangeAccountStatusHandler,
  ChangePartnerSettingsHandler,
  CreditAccountHandler,
  ExecuteHoldHandler,
  ExpireHoldHandler,
  OpenAccountHandler,
  PlaceHoldHandler,
  RegisterPartnerHandler,
  RegisterContactHandler,
  ReleaseHoldHandler,
  RemoveCautionaryRuleHandler,
  RemoveContactHandler,
  RotateWebhookSecretHandler,
  SetDefaultLimitsHandler,
  SetPayoutLimitsHandler,
];
const queries = [
  GetAccountHandler,
  GetAccountOwnerHandler,
  GetContactHandler,
  GetDefaultLimitsHandler,
  GetPayoutLimitsHandler,
  GetPreviewHandler,
  ListAccountsHandler,
  ListCautionaryRulesHandler,
  ListContactsHandler,
  ListHoldsHandler,
  GetPartnerHandler,
  ListPartnersHandler,
  GetStatementHandler,
  GetTransactionHandler,
  ListTransactionsHandler,
];

@Module({
  imports: [AuthModule],
  controllers: [
    AccountsController,
    HoldsController,
    PayoutLimitsController,
    SecureContactsController,
    StatementController,
    TransactionsController,
  ],
  providers: [
    ...commands,
    ...queries,
    DeliveryStatuses,
    HoldCases,
    HoldRows,
    HomePartitions,
    LoggedHolds,
    LoggedTransactions,
    LookUpProof,
    OpenHolds,
    Registry,
    TransactionRows,
    TransactionShow,
    WebhookSecrets,
  ],
  exports: [
    DeliveryStatuses,
    HoldCases,
    HoldRows,
    LoggedHolds,
    LoggedTransactions,
    OpenHolds,
    Registry,
    TransactionRows,
    WebhookSecrets,
  ],
})
export class AccountsModule {
  constructor(projections: InlineProjections, subscriptions: Subscriptions) {
    projections.register(accountProjection);
    projections.register(holdProjection);
    projections.register(payeeUsesProjection);
    projections.register(contactProjection);
    projections.register(partnerProjection);
    projections.register(partnerTaxNumberProjection);
    projections.register(transactionProjection);
    projections.register(scheduledProjection);
    subscriptions.register(entryProjection);
  }
}
