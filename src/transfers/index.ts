export { TransfersModule } from './transfers.module.js';
export { CancelTransfer } from './commands/cancel-transfer/cancel-transfer.command.js';
export { RunTransfer } from './commands/run-transfer/run-transfer.command.js';
export { TransferCancelled, TransferRefused, TransferScheduled, TransferSettled } from './domain/transfer.events.js';
