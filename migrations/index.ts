import { EventStore1763635200000 } from './1763635200000-event-store.js';
import { Accounts1763638800000 } from './1763638800000-accounts.js';
import { Transactions1763642400000 } from './1763642400000-transactions.js';
import { Pix1763646000000 } from './1763646000000-pix.js';
import { Sandbox1763646000001 } from './1763646000001-sandbox.js';
import { Webhooks1763649600000 } from './1763649600000-webhooks.js';
import { Audit1763653200000 } from './1763653200000-audit.js';
import { HeadCorrections1763654400000 } from './1763654400000-head-corrections.js';
import { Console1763656800000 } from './1763656800000-console.js';
import { AccountList1763658000000 } from './1763658000000-account-list.js';
import { TransactionIdentifiers1763661600000 } from './1763661600000-transaction-identifiers.js';
import { HeadFence1763662000000 } from './1763662000000-head-fence.js';
import { HistoryIndexes1763665200000 } from './1763665200000-history-indexes.js';
import { OrderIdentity1763668804000 } from './1763668804000-order-identity.js';
import { BoundCredentials1763668809000 } from './1763668809000-bound-credentials.js';
import { Directory1763668842000 } from './1763668842000-directory.js';
import { RegistrySecrets1763668843000 } from './1763668843000-registry-secrets.js';
import { WorkLine1763671026000 } from './1763671026000-work-line.js';
import { Reconciliation1763674626000 } from './1763674626000-reconciliation.js';
import { Holds1763678226000 } from './1763678226000-holds.js';
import { PayoutLimits1763681826000 } from './1763681826000-payout-limits.js';
import { AccountWebhooks1763685426000 } from './1763685426000-account-webhooks.js';
import { LimitsOfPayees1763685427000 } from './1763685427000-limits-of-payees.js';
import { Med1763685428000 } from './1763685428000-med.js';
import { CautionaryHolds1763685429000 } from './1763685429000-cautionary-holds.js';
import { Schedules1763685431000 } from './1763685431000-schedules.js';
import { PayoutFiles1763685432000 } from './1763685432000-payout-files.js';
import { SearchTransfers1763685433000 } from './1763685433000-search-transfers.js';
import { TransfersUnsearched1763685460000 } from './1763685460000-transfers-unsearched.js';
import { CarriedTexts1763685460001 } from './1763685460001-carried-texts.js';
import { DeliveriesOfTransactions1763685470000 } from './1763685470000-deliveries-of-transactions.js';
import { WorkByTime1763685480000 } from './1763685480000-work-by-time.js';
import { SummariesOfTwoPages1763685490000 } from './1763685490000-summaries-of-two-pages.js';
import { OrderIdentityByLength1763687200000 } from './1763687200000-order-identity-by-length.js';
import { CasesOfDeposits1763687300000 } from './1763687300000-cases-of-deposits.js';
import { DeliveriesDueSince1763687400000 } from './1763687400000-deliveries-due-since.js';
import { DeliveriesUnfinished1763687500000 } from './1763687500000-deliveries-unfinished.js';
import { TransferEntries1763689000000 } from './1763689000000-transfer-entries.js';
import { RefusedAttempts1763689100000 } from './1763689100000-refused-attempts.js';
import { DeliveriesFailed1763691000000 } from './1763691000000-deliveries-failed.js';
import { CasesLookedAtDaily1763692000000 } from './1763692000000-cases-looked-at-daily.js';
import { DeliveriesSealed1763693000000 } from './1763693000000-deliveries-sealed.js';
import { PaidByPayout1763694300000 } from './1763694300000-paid-by-payout.js';
import { SearchFillFactors1763695000000 } from './1763695000000-search-fill-factors.js';
import { ActiveSchedules1763695100000 } from './1763695100000-active-schedules.js';

/** In order; forward only. */
export const migrations = [
  EventStore1763635200000,
  Accounts1763638800000,
  Transactions1763642400000,
  Pix1763646000000,
  Sandbox1763646000001,
  Webhooks1763649600000,
  Audit1763653200000,
  HeadCorrections1763654400000,
  Console1763656800000,
  AccountList1763658000000,
  TransactionIdentifiers1763661600000,
  HeadFence1763662000000,
  HistoryIndexes1763665200000,
  OrderIdentity1763668804000,
  BoundCredentials1763668809000,
  Directory1763668842000,
  RegistrySecrets1763668843000,
  WorkLine1763671026000,
  Reconciliation1763674626000,
  Holds1763678226000,
  PayoutLimits1763681826000,
  AccountWebhooks1763685426000,
  LimitsOfPayees1763685427000,
  Med1763685428000,
  CautionaryHolds1763685429000,
  Schedules1763685431000,
  PayoutFiles1763685432000,
  SearchTransfers1763685433000,
  TransfersUnsearched1763685460000,
  CarriedTexts1763685460001,
  DeliveriesOfTransactions1763685470000,
  WorkByTime1763685480000,
  SummariesOfTwoPages1763685490000,
  OrderIdentityByLength1763687200000,
  CasesOfDeposits1763687300000,
  DeliveriesDueSince1763687400000,
  DeliveriesUnfinished1763687500000,
  TransferEntries1763689000000,
  RefusedAttempts1763689100000,
  DeliveriesFailed1763691000000,
  CasesLookedAtDaily1763692000000,
  DeliveriesSealed1763693000000,
  PaidByPayout1763694300000,
  SearchFillFactors1763695000000,
  ActiveSchedules1763695100000,
];
