import { describePayment } from '../accounts/index.js';
import { qrCodeLocation } from './cash-in-codes.js';
import { type CashInDetails, type CashOutDetails, detailsOf } from './domain/details.js';

/** The member `payment` of a transaction's view (decisions 5): the code of a cash-in, the recipient of a cash-out. */
export function describePixPayments(): void {
  describePayment('CashIn', {
    sealed: (transaction) => {
      const { payerTold } = detailsOf<CashInDetails>(transaction);
      return payerTold ? [payerTold] : [];
    },
    show: (transaction, open, publicUrl) => {
      const { qrCode, payerTold, hold } = detailsOf<CashInDetails>(transaction);
      const payer = payerTold && open(payerTold);
      return {
        qrCode,
        qrCodeLocation: qrCodeLocation(publicUrl, transaction.id),
        ...(hold && { hold }),
        ...(payer && { payerTold: { name: payer.name ?? '', cpf: payer.taxNumber ?? '', ispb: payer.ispb ?? '' } }),
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
