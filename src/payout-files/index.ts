export { PayoutFileNotification } from './queries/files/payout-file-notification.js';
export { PAYOUT_FILE_EXAMPLE, PayoutFileView } from './queries/files/payout-file-view.js';
export { ListPayoutFiles } from './queries/files/payout-files.query.js';
export { PayoutFilesModule } from './payout-files.module.js';
