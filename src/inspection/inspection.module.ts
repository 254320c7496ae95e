import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { PersonalDataCodec, Subscriptions, SubjectVault } from '../event-store/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { RedeliverHostHandler } from './commands/redeliver-host/redeliver-host.handler.js';
import { Directory } from './directory/directory.js';
import { directoryProjection } from './directory/directory.projection.js';
import { Names } from './names/names.js';
import { searchProjection } from './projection/search.projection.js';
import { AuditAccountReadsController, OperatorAccountReadsController } from './queries/accounts/accounts.controller.js';
import {
  InspectAccessKeysHandler,
  InspectAccountHandler,
  InspectAccountsOfPartnerHandler,
  InspectStatementHandler,
  ReadBalancesHandler,
} from './queries/accounts/accounts.handlers.js';
import { BalanceSeries } from './queries/accounts/balance-series.js';
import { VisibleAccounts } from './queries/accounts/visible-accounts.js';
import { OperatorDeliveriesController } from './queries/deliveries/deliveries.controller.js';
import { ListFailingDeliveriesHandler, ReadDeliveryHandler } from './queries/deliveries/deliveries.handlers.js';
import { NamedDeliveries } from './queries/deliveries/named-deliveries.js';
import { AuditSearchController, OperatorSearchController } from './queries/everything/search.controller.js';
import { SearchEverythingHandler } from './queries/everything/search.handler.js';
import { AuditMedController, OperatorMedReadsController } from './queries/med/med.controller.js';
import { AuditNamesController, OperatorNamesController } from './queries/names/names.controller.js';
import { ReadNamesHandler } from './queries/names/names.handler.js';
import { AuditOverviewController, OperatorOverviewController } from './queries/overview/overview.controller.js';
import { ReadLatencyHandler, ReadOverviewHandler } from './queries/overview/overview.handlers.js';
import { Totals } from './queries/overview/totals.js';
import { Backlogs } from './queries/overview/backlogs.js';
import { AuditPartnersController, OperatorPartnerReadsController } from './queries/partners/partners.controller.js';
import {
  AuditPayoutFilesController,
  OperatorPayoutFilesController,
} from './queries/payout-files/payout-files.controller.js';
import { InspectPayoutFilesHandler } from './queries/payout-files/payout-files.handler.js';
import { InspectPartnerHandler, InspectPartnersHandler } from './queries/partners/partners.handlers.js';
import {
  AuditTransactionsController,
  OperatorTransactionsController,
} from './queries/transactions/transactions.controller.js';
import {
  InspectDeliveriesHandler,
  InspectTransactionHandler,
  SearchTransactionsHandler,
} from './queries/transactions/transactions.handlers.js';
import { VisibleTransactions } from './queries/transactions/visible-transactions.js';
import { KeyedSearch } from './search/keyed-search.js';
import { OwnedTransactions } from './search/owned-transactions.js';
import { Persons } from './search/persons.js';
import { TransactionSearch } from './search/transaction-search.js';

const queries = [
  InspectAccessKeysHandler,
  InspectAccountHandler,
  InspectAccountsOfPartnerHandler,
  InspectDeliveriesHandler,
  InspectPartnerHandler,
  InspectPartnersHandler,
  InspectPayoutFilesHandler,
  InspectStatementHandler,
  InspectTransactionHandler,
  ListFailingDeliveriesHandler,
  ReadBalancesHandler,
  ReadDeliveryHandler,
  ReadLatencyHandler,
  ReadNamesHandler,
  ReadOverviewHandler,
  SearchEverythingHandler,
  SearchTransactionsHandler,
];

/** Back-office reads: search, totals and views over all partners, the same under `/admin` and `/audit`. */
@Module({
  imports: [AccountsModule, AuditModule, AuthModule, WebhooksModule],
  controllers: [
    AuditAccountReadsController,
    AuditMedController,
    AuditNamesController,
    AuditOverviewController,
    AuditPartnersController,
    AuditPayoutFilesController,
    AuditSearchController,
    AuditTransactionsController,
    OperatorAccountReadsController,
    OperatorDeliveriesController,
    OperatorMedReadsController,
    OperatorNamesController,
    OperatorOverviewController,
    OperatorPartnerReadsController,
    OperatorPayoutFilesController,
    OperatorSearchController,
    OperatorTransactionsController,
  ],
  providers: [
    ...queries,
    BalanceSeries,
    Directory,
    KeyedSearch,
    NamedDeliveries,
    Names,
    OwnedTransactions,
    Persons,
    RedeliverHostHandler,
    Totals,
    TransactionSearch,
    VisibleAccounts,
    VisibleTransactions,
    Backlogs,
  ],
})
export class InspectionModule {
  constructor(subscriptions: Subscriptions, vault: SubjectVault, codec: PersonalDataCodec) {
    subscriptions.register(searchProjection);
    subscriptions.register(directoryProjection(vault, codec));
  }
}
