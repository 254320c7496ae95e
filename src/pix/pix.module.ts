import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import {
  InlineProjections,
  LeasedWork,
  type Sharing,
  StandingWork,
  Subscriptions,
  type WorkItem,
  WorkTable,
} from '../event-store/index.js';
import { type Config, CONFIG, ConfigurationError } from '../platform/config/index.js';
import { Tracing } from '../platform/observability/tracing/index.js';
import { ChargeTurns } from './charge-turns.js';
import { CashInCodes } from './cash-in-codes.js';
import { CancelCashInController } from './commands/cancel-cash-in/cancel-cash-in.controller.js';
import { CancelCashInHandler } from './commands/cancel-cash-in/cancel-cash-in.handler.js';
import { CancelCashOutHandler } from './commands/cancel-cash-out/cancel-cash-out.handler.js';
import { CloseReconciliationCaseHandler } from './commands/close-reconciliation-case/close-reconciliation-case.handler.js';
import { RecordDayHandler } from './commands/record-day/record-day.handler.js';
import { RefundCashInController } from './commands/refund-cash-in/refund-cash-in.controller.js';
import { RefundCashInHandler } from './commands/refund-cash-in/refund-cash-in.handler.js';
import { EndChargeHandler } from './commands/end-charge/end-charge.handler.js';
import { ExpireCashInHandler } from './commands/expire-cash-in/expire-cash-in.handler.js';
import { ReceivePaymentHandler } from './commands/receive-payment/receive-payment.handler.js';
import { ReceiveReturnHandler } from './commands/receive-return/receive-return.handler.js';
import { RunCashOutHandler } from './commands/run-cash-out/run-cash-out.handler.js';
import { ResolveKeyHandler } from './commands/resolve-key/resolve-key.handler.js';
import { ReturnHoldHandler } from './commands/return-hold/return-hold.handler.js';
import { SettleCashOutHandler } from './commands/settle-cash-out/settle-cash-out.handler.js';
import { SettlePaymentReturnHandler } from './commands/settle-payment-return/settle-payment-return.handler.js';
import { SettleRefundHandler } from './commands/settle-refund/settle-refund.handler.js';
import { RailInboxModule } from './inbox/rail-inbox.module.js';
import { PixTransactionsModule } from './transactions/pix-transactions.module.js';
import { RequestCashInController } from './commands/request-cash-in/request-cash-in.controller.js';
import { RequestCashInHandler } from './commands/request-cash-in/request-cash-in.handler.js';
import { RequestCashOutController } from './commands/request-cash-out/request-cash-out.controller.js';
import { RequestCashOutHandler } from './commands/request-cash-out/request-cash-out.handler.js';
import { RequestCashOutsController } from './commands/request-cash-outs/request-cash-outs.controller.js';
import { RequestCashOutsHandler } from './commands/request-cash-outs/request-cash-outs.handler.js';
import { CashOutAppends } from './commands/cash-out-append.js';
import { LaterCashOuts } from './commands/later-cash-outs.js';
import { CashOutBody } from './commands/request-cash-out/cash-out.body.js';
import { isPixKey } from './domain/values/pix-key.js';
import { PixIdentifiers } from './identifiers.js';
import { orderProjection } from './orders.projection.js';
import { reconciledDayProjection, reconciliationCaseProjection } from './reconciliation.projections.js';
import { CodePayments } from './code-reading/code-payments.js';
import { CodeReader } from './code-reading/code-reader.js';
import { ForeignCharges } from './code-reading/foreign-charges.js';
import { describePixPayments } from './payment-descriptions.js';
import { PixMetrics } from './pix-metrics.js';
import { PublicRoutesModule } from './public-routes.module.js';
import { DecodeCodeController } from './queries/decode-code/decode-code.controller.js';
import { DecodeCodeHandler } from './queries/decode-code/decode-code.handler.js';
import { BalanceComparison } from './queries/reconciliation/balance-comparison.js';
import { ListReconciliationCasesHandler } from './queries/reconciliation/reconciliation-cases.handler.js';
import { movementProjection } from './queries/reconciliation/movement.projection.js';
import { ReconcileDayHandler } from './queries/reconciliation/reconciliation.handler.js';
import { ScheduledPayouts } from './scheduled-payouts.js';
import { TransactionTraces } from './transactions/transaction-traces.js';
import { railSaga } from './rail.saga.js';
import { INFRACTION_RAIL } from './rails/infraction-rail.js';
import { measuredInfractionRail, measuredRail } from './rails/measured-rail.js';
import { PIX_RAIL, type PixRail } from './rails/pix-rail.js';
import { INFRACTION_ADAPTER, RAIL_ADAPTER, RailModule } from './rails/rail.module.js';
import { retriedAtRail } from './rails/retried-at-rail.js';
import { ExpireCashInWorker } from './workers/expire-cash-in.worker.js';
import { ExpireHoldWorker } from './workers/expire-hold.worker.js';
import { PIX_TIMERS, PIX_WORK, type PixWorker } from './workers/pix-work.js';
import { ReconciliationWorker } from './workers/reconciliation.worker.js';
import { RailSweep } from './inbox/rail-sweep.js';
import { ResolveKeyWorker } from './workers/resolve-key.worker.js';
import { ReturnPaymentWorker } from './workers/return-payment.worker.js';
import { SendPaymentWorker } from './workers/send-payment.worker.js';
import { SendRefundWorker } from './workers/send-refund.worker.js';
import { SweepWorker } from './workers/sweep.worker.js';
import { PaymentDispatcher } from './workers/payment-dispatcher.js';

const handlers = [
  CancelCashOutHandler,
  RunCashOutHandler,
  CancelCashInHandler,
  CloseReconciliationCaseHandler,
  RecordDayHandler,
  RefundCashInHandler,
  RequestCashInHandler,
  RequestCashOutHandler,
  RequestCashOutsHandler,
  EndChargeHandler,
  ExpireCashInHandler,
  ReceivePaymentHandler,
  ReceiveReturnHandler,
  ResolveKeyHandler,
  ReturnHoldHandler,
  SettleCashOutHandler,
  SettlePaymentReturnHandler,
  SettleRefundHandler,
  DecodeCodeHandler,
  ListReconciliationCasesHandler,
  ReconcileDayHandler,
];
const workers = [
  ExpireCashInWorker,
  ExpireHoldWorker,
  RailSweep,
  ReconciliationWorker,
  ResolveKeyWorker,
  ReturnPaymentWorker,
  SendPaymentWorker,
  SendRefundWorker,
  SweepWorker,
  PaymentDispatcher,
];

/** Items of one kind in progress at once in a process: they wait for the rail, not for the CPU. */
const CONCURRENCY = 32;

/** Pix: cash-outs, cash-ins and refunds, over a rail. */
@Module({
  imports: [AuthModule, AccountsModule, PixTransactionsModule, PublicRoutesModule, RailInboxModule],
  controllers: [
    CancelCashInController,
    DecodeCodeController,
    RefundCashInController,
    RequestCashInController,
    RequestCashOutController,
    RequestCashOutsController,
  ],
  providers: [
    ...handlers,
    ...workers,
    BalanceComparison,
    CashInCodes,
    CashOutAppends,
    ChargeTurns,
    LaterCashOuts,
    CashOutBody,
    CodePayments,
    CodeReader,
    ForeignCharges,
    PixIdentifiers,
    PixMetrics,
    ScheduledPayouts,
    { provide: PIX_RAIL, inject: [RAIL_ADAPTER, PixMetrics, Tracing], useFactory: measuredRail },
    {
      provide: INFRACTION_RAIL,
      inject: [INFRACTION_ADAPTER, PixMetrics, Tracing],
      useFactory: measuredInfractionRail,
    },
  ],
  exports: [INFRACTION_RAIL, PixIdentifiers, PixTransactionsModule, RailInboxModule, ScheduledPayouts],
})
export class PixModule {
  /** Pix over the rail that the setting PIX_RAIL names. */
  static on(rail: Config['pixRail']): DynamicModule {
    const rails = RailModule.of(rail);
    return { module: PixModule, imports: [rails], exports: [rails] };
  }

  constructor(
    projections: InlineProjections,
    subscriptions: Subscriptions,
    work: LeasedWork,
    table: WorkTable,
    resolveKey: ResolveKeyWorker,
    sendPayment: SendPaymentWorker,
    expireCashIn: ExpireCashInWorker,
    expireHold: ExpireHoldWorker,
    sendRefund: SendRefundWorker,
    returnPayment: ReturnPaymentWorker,
    sweep: SweepWorker,
    reconciliation: ReconciliationWorker,
    standing: StandingWork,
    dispatcher: PaymentDispatcher,
    @Inject(PIX_RAIL) rail: PixRail,
    traces: TransactionTraces,
    @Inject(CONFIG) { pixKey }: Config,
  ) {
    assertPixKey(pixKey);
    describePixPayments();
    projections.register(orderProjection);
    projections.register(reconciledDayProjection);
    projections.register(reconciliationCaseProjection);
    subscriptions.register(railSaga);
    subscriptions.register(movementProjection);
    const perform = (kind: string, worker: PixWorker, sharing?: Sharing) => {
      const attempt = (item: WorkItem) => traces.work(item, () => retriedAtRail(item, () => worker.perform(item)));
      work.register(table.worker(kind, CONCURRENCY, attempt, sharing));
    };
    perform(PIX_WORK.resolveKey, resolveKey, 'Shared');
    perform(PIX_WORK.expireCashIn, expireCashIn, 'InParts');
    perform(PIX_WORK.expireHold, expireHold);
    perform(PIX_WORK.sendRefund, sendRefund, 'Shared');
    perform(PIX_WORK.returnPayment, returnPayment, 'InParts');
    if (rail.capabilities.namesPayments) {
      standing.register({ ...PIX_TIMERS.dispatcher, missedIn: 'None' });
      work.register(table.worker(PIX_TIMERS.dispatcher.kind, 1, ({ lease }) => dispatcher.dispatch(lease)));
      // The dispatcher takes these items; a worker without slots is registered so that the backlog is counted.
      work.register(table.worker(PIX_WORK.sendPayment, 0, ({ lease }) => dispatcher.dispatch(lease)));
    } else perform(PIX_WORK.sendPayment, sendPayment, 'Shared');
    work.register(table.worker(PIX_TIMERS.sweep.kind, 1, () => sweep.perform()));
    work.register(table.worker(PIX_TIMERS.reconcile.kind, 1, (item) => reconciliation.perform(item)));
  }
}

/** @throws ConfigurationError for a key that DICT cannot have: the start fails, not every payment to it */
function assertPixKey(key: string): void {
  if (isPixKey(key)) return;
  throw new ConfigurationError([
    'PIX_KEY: must be a CPF, a CNPJ, an e-mail address, a phone number or an EVP, in the form in which DICT stores it',
  ]);
}
