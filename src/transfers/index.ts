export { TransfersModule } from './transfers.module.js';
export { CancelTransfer } from './commands/cancel-transfer/cancel-transfer.command.js';
export { RequestTransferDto } from './commands/request-transfer/request-transfer.dto.js';
export { RunTransfer } from './commands/run-transfer/run-transfer.command.js';
export { cancelTransfer, type TransferOrder, transferScheduled } from './domain/scheduled-transfer.decider.js';
export { TransferCancelled, TransferRefused, TransferScheduled, TransferSettled } from './domain/transfer.events.js';
export { type RequestedTransfer, ScheduledTransfers } from './scheduled-transfers.js';
