import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { PersonalDataCodec, Subscriptions, SubjectVault } from '../event-store/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { AuditAccountReadsController, OperatorAccountReadsController } from './queries/accounts/accounts.controller.js';
import { BalanceSeries } from './queries/accounts/balance-series.js';
import { InspectedAccounts } from './queries/accounts/accounts.handlers.js';
import { OperatorDeliveriesController } from './queries/deliveries/deliveries.controller.js';
import { InspectedDeliveries } from './queries/deliveries/deliveries.handlers.js';
import { Directory } from './directory/directory.js';
import { directoryProjection } from './directory/directory.projection.js';
import { AuditSearchController, OperatorSearchController } from './queries/everything/search.controller.js';
import { SearchEverything } from './queries/everything/search-everything.handler.js';
import { AuditNamesController, OperatorNamesController } from './queries/names/names.controller.js';
import { Names } from './names/names.js';
import { AuditOverviewController, OperatorOverviewController } from './queries/overview/overview.controller.js';
import { Overview } from './queries/overview/overview.handlers.js';
import { Totals } from './queries/overview/totals.js';
import { Workings } from './queries/overview/workings.js';
import { InspectedPartners } from './queries/partners/partners.handlers.js';
import { AuditPartnersController, OperatorPartnerAccountsController } from './queries/partners/partners.controller.js';
import { searchProjection } from './projection/search.projection.js';
import { Persons } from './search/persons.js';
import { TransactionSearch } from './search/transaction-search.js';
import { InspectedTransactions } from './queries/transactions/transactions.handlers.js';
import {
  AuditTransactionsController,
  OperatorTransactionsController,
} from './queries/transactions/transactions.controller.js';

/** What operators and auditors read of the partners' matters, the same under `/admin` and `/audit`. Changes nothing. */
@Module({
  imports: [AccountsModule, AuditModule, AuthModule, WebhooksModule],
  controllers: [
    AuditAccountReadsController,
    AuditNamesController,
    AuditOverviewController,
    AuditPartnersController,
    AuditSearchController,
    AuditTransactionsController,
    OperatorAccountReadsController,
    OperatorDeliveriesController,
    OperatorNamesController,
    OperatorOverviewController,
    OperatorPartnerAccountsController,
    OperatorSearchController,
    OperatorTransactionsController,
  ],
  providers: [
    BalanceSeries,
    Directory,
    InspectedAccounts,
    InspectedDeliveries,
    InspectedPartners,
    InspectedTransactions,
    Names,
    Overview,
    Persons,
    SearchEverything,
    Totals,
    TransactionSearch,
    Workings,
  ],
})
export class InspectionModule {
  constructor(subscriptions: Subscriptions, vault: SubjectVault, codec: PersonalDataCodec) {
    subscriptions.register(searchProjection);
    subscriptions.register(directoryProjection(vault, codec));
  }
}
