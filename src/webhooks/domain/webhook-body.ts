import type { NotificationDto, NotificationPartyDto } from '../../pix/index.js';
import type { BodyMaterial, PartySource } from './delivery.js';

/** Personal and secret parts of a body, decrypted; `null` for none, or after the subject was erased. */
export interface OpenedMaterial {
  readonly party: PartySource | null;
  readonly description: string | null;
  /** The receipt's URL, which is a secret. */
  readonly receipt: string | null;
}

/**
 * The JSON text of contract 2.7. The same material gives the same bytes on every attempt. Data of a subject who was
 * erased in between are empty texts, like every unknown field.
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
