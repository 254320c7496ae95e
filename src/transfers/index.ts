export { TransfersModule } from './transfers.module.js';
export { TransferSettled } from './domain/transfer.events.js';
