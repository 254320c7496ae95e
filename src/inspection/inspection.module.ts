import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { PersonalDataCodec, Subscriptions, SubjectVault } from '../event-store/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { AuditAccountReadsController, OperatorAccountReadsController } from './accounts/accounts.controller.js';
import { BalanceSeries } from './accounts/balance-series.js';
import { InspectedAccounts } from './accounts/inspected-accounts.js';
import { OperatorDeliveriesController } from './deliveries/deliveries.controller.js';
import { InspectedDeliveries } from './deliveries/inspected-deliveries.js';
import { Directory } from './directory/directory.js';
import { directoryProjection } from './directory/directory.projection.js';
import { AuditSearchController, OperatorSearchController } from './everything/search.controller.js';
import { SearchEverything } from './everything/search-everything.js';
import { AuditNamesController, OperatorNamesController } from './names/names.controller.js';
import { Names } from './names/names.js';
import { AuditOverviewController, OperatorOverviewController } from './overview/overview.controller.js';
import { Overview } from './overview/overview.js';
import { Totals } from './overview/totals.js';
import { Workings } from './overview/workings.js';
import { InspectedPartners } from './partners/inspected-partners.js';
import { AuditPartnersController, OperatorPartnerAccountsController } from './partners/partners.controller.js';
import { searchProjection } from './projection/search.projection.js';
import { Persons } from './search/persons.js';
import { TransactionSearch } from './search/transaction-search.js';
import { InspectedTransactions } from './transactions/inspected-transactions.js';
import { AuditTransactionsController, OperatorTransactionsController } from './transactions/transactions.controller.js';

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
