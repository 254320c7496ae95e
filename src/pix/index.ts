export { CashOutBody } from './commands/request-cash-out/cash-out.body.js';
export { type LinesOf, RequestCashOuts } from './commands/request-cash-outs/request-cash-outs.command.js';
export type { NotificationDto, NotificationPartyDto } from './dto/notification.dto.js';
export { type CashInDetails, type CashOutDetails, detailsOf, type RefundDetails } from './domain/details.js';
export * from './domain/events/index.js';
export { streamsOfPayment } from './domain/streams-of-payment.js';
export { uuidOfTxid } from './domain/values/txid.js';
export { completeHeldReturn, returnHeldDeposit } from './domain/held-return.decider.js';
export { refundable } from './domain/refund.decider.js';
export { type NewReturn, PixIdentifiers } from './identifiers.js';
export { InfractionInbox } from './inbox/infraction-inbox.js';
export {
  FRAUD_REASONS,
  type FraudReason,
  INFRACTION_RAIL,
  type InfractionNotifications,
  type InfractionRail,
  type InfractionState,
  type OwnReturn,
  type RecoveryOutcome,
  type ReportedInfraction,
} from './rails/infraction-rail.js';
export { isSentOver, railActor, sentOver } from './rails/rail-name.js';
export { OfAnotherRail, RailUnavailable } from './rails/rail-errors.js';
export { retriedAtRail } from './rails/retried-at-rail.js';
export { type LocatedTransaction, PixTransactions } from './transactions/pix-transactions.js';
export { CancelCashOut } from './commands/cancel-cash-out/cancel-cash-out.command.js';
export { RunCashOut } from './commands/run-cash-out/run-cash-out.command.js';
export { RequestCashOutDto } from './commands/request-cash-out/request-cash-out.dto.js';
export { cancelCashOut, type PayoutOrder } from './domain/scheduled-cash-out.decider.js';
export { type NextRun, ScheduledPayouts } from './scheduled-payouts.js';
export { requestedCashOut } from './commands/request-cash-out/cash-out.body.js';
export type { RequestedCashOut } from './commands/requested-cash-out.js';
export { PixModule } from './pix.module.js';
export {
  type Mismatch,
  ReconcileDay,
  type Reconciliation,
  type Total,
} from './queries/reconciliation/reconciliation.query.js';
export { CloseReconciliationCase } from './commands/close-reconciliation-case/close-reconciliation-case.command.js';
export { CreatedRefund } from './commands/refund-cash-in/refund-cash-in.command.js';
export { ReturnHold } from './commands/return-hold/return-hold.command.js';
export { HELD_RETURN_CODES } from './domain/events/shared.js';
export { ListReconciliationCases } from './queries/reconciliation/reconciliation-cases.query.js';
export { CASE_KINDS, MOVEMENT_KINDS } from './domain/events/reconciliation.events.js';
export { CASE_STATUSES, type ReconciliationCase } from './domain/reconciliation.js';
export { addressFaults, keepWebhook, requestedWebhook, webhookPolicy } from './dto/webhook.js';
export { ReceiptAddresses } from './queries/receipt/receipt-address.js';
export { TIMER_IDS } from './workers/timer-ids.js';
