export { TransfersModule } from './transfers.module.js';
export { CancelTransfer } from './commands/cancel-transfer/cancel-transfer.command.js';
export { RequestTransferDto } from './commands/request-transfer/request-transfer.dto.js';
export { RunTransfer } from './commands/run-transfer/run-transfer.command.js';
export type { TransferOrder } from './commands/transfer-append.js';
export { cancelTransfer, type ScheduledOrder, transferScheduled } from './domain/scheduled-transfer.decider.js';
export { TransferCancelled, TransferRefused, TransferScheduled, TransferSettled } from './domain/transfer.events.js';
export { ScheduledTransfers } from './scheduled-transfers.js';
export { TransferNotification } from './transfer-notifications.js';
