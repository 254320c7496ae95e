import { describePayment } from '../accounts/index.js';
import { qrCodeLocation } from './codes.js';
import { type CashInDetails, type CashOutDetails, detailsOf } from './domain/details.js';

/** How the member `payment` of a transaction is shown (decisions 5): the code of a cash-in, whom a cash-out pays. */
export function describePixPayments(): void {
  describePayment('CashIn', {
    sealed: (transaction) => {
      const { payerTold } = detailsOf<CashInDetails>(transaction);
      return payerTold ? [payerTold] : [];
    },
    show: (transaction, open, publicUrl) => {
      const { qrCode, payerTold } = detailsOf<CashInDetails>(transaction);
      const told = payerTold && open(payerTold);
      return {
        qrCode,
        qrCodeLocation: qrCodeLocation(publicUrl, transaction.id),
        ...(told && { payerTold: { name: told.name ?? '', cpf: told.taxNumber ?? '', ispb: told.ispb ?? '' } }),
      };
    },
  });

  describePayment('CashOut', {
    sealed: (transaction) => [detailsOf<CashOutDetails>(transaction).recipient],
    show: (transaction, open) => {
      const { method, recipient, keyChecked, reasonTold } = detailsOf<CashOutDetails>(transaction);
      const { name = '', taxNumber = '', key, account } = open(recipient) ?? {};
      const to = { name, cpf: taxNumber, account: account ?? null };
      return {
        method,
        key: key ?? null,
        recipient: to,
        ...(keyChecked === false && { keyChecked }),
        ...(reasonTold && { reasonTold }),
      };
    },
  });
}
