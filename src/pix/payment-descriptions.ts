import { describePayment } from '../accounts/index.js';
import { qrCodeLocation } from './codes.js';
import { type CashInDetails, type CashOutDetails, detailsOf } from './domain/details.js';

/** How the member `payment` of a transaction is shown (decisions 5): the code of a cash-in, whom a cash-out pays. */
export function describePixPayments(): void {
  describePayment('CashIn', {
    sealed: () => [],
    show: (transaction, _open, publicUrl) => ({
      qrCode: detailsOf<CashInDetails>(transaction).qrCode,
      qrCodeLocation: qrCodeLocation(publicUrl, transaction.id),
    }),
  });

  describePayment('CashOut', {
    sealed: (transaction) => [detailsOf<CashOutDetails>(transaction).recipient],
    show: (transaction, open) => {
      const { method, recipient, keyChecked } = detailsOf<CashOutDetails>(transaction);
      const { name = '', taxNumber = '', key, account } = open(recipient) ?? {};
      const to = { name, cpf: taxNumber, account: account ?? null };
      return { method, key: key ?? null, recipient: to, ...(keyChecked === false && { keyChecked }) };
    },
  });
}
