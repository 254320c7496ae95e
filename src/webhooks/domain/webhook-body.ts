import type { NotificationDto, NotificationPartyDto } from '../../pix/index.js';
import type { BodyMaterial, PartySource } from './delivery.js';

/** Personal and secret parts of a body in clear; `null` where there is none, or its subject was forgotten. */
export interface OpenedMaterial {
  readonly party: PartySource | null;
  readonly description: string | null;
  /** Address of the receipt; it is a secret. */
  readonly receipt: string | null;
}

/**
 * The JSON text of contract 2.7. The same material gives the same bytes on every try; a subject who was forgotten
 * in between is shown as empty texts, like every member that nobody told.
 */
export function webhookBody({ fields, partyRole }: BodyMaterial, opened: OpenedMaterial): string {
  const { id, transactionState, transactionDate, transactionAmount, transactionType, transactionPaymentType } = fields;
  const body: NotificationDto = {
    id,
    transactionState,
    transactionDate,
    transactionAmount,
    transactionType,
    transactionPaymentType,
    transactionOrderId: fields.transactionOrderId,
    transactionOrderDescription: opened.description ?? '',
    transactionCharges: fields.transactionCharges,
    webhookUrl: fields.webhookUrl,
    transactionReceipt: opened.receipt ?? '',
    transactionReceiptDate: fields.transactionReceiptDate,
    transactionReceiptVoucher: fields.transactionReceiptVoucher,
    stateRegisteredDate: fields.stateRegisteredDate,
    stateCompletedDate: fields.stateCompletedDate,
    ...fields.other,
    [partyRole]: partyOf(opened.party),
  };
  return JSON.stringify(body);
}

function partyOf(source: PartySource | null): NotificationPartyDto {
  const account = source?.account ?? source;
  return {
    name: source?.name ?? '',
    taxNumber: source?.taxNumber ?? '',
    bankCode: account?.ispb ?? '',
    accountAgency: account?.branch ?? '',
    accountNumber: account?.number ?? '',
    accountDigit: account?.digit ?? '',
    accountType: account?.type ?? '',
  };
}
