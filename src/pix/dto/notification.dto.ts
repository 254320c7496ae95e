import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_TYPES, TRANSACTION_STATE } from '../../accounts/index.js';
import { AMOUNT, MOMENT, signedMessage, UUID } from '../../platform/http/index.js';

/** The notification of a change of state, contract 2.7. */

/** Members that are not known are empty. */
export class NotificationPartyDto {
  @ApiProperty({ example: 'Maria Silva' }) name: string;
  @ApiProperty({ description: 'CPF or CNPJ', example: '52998224725' }) taxNumber: string;
  @ApiProperty({ description: 'ISPB of the bank', example: '60701190' }) bankCode: string;
  @ApiProperty({ example: '0001' }) accountAgency: string;
  @ApiProperty({ example: '12345' }) accountNumber: string;
  @ApiProperty({ example: '6' }) accountDigit: string;
  @ApiProperty({ enum: [...ACCOUNT_TYPES, ''], example: 'CheckingsAccount' }) accountType: string;
}

export class NotificationDto {
  @ApiProperty(UUID) id: string;
  @ApiProperty(TRANSACTION_STATE) transactionState: string;
  @ApiProperty(MOMENT) transactionDate: string;
  @ApiProperty(AMOUNT) transactionAmount: string;
  @ApiProperty({ enum: ['Debit', 'Credit'], example: 'Debit' }) transactionType: 'Debit' | 'Credit';
  transactionPaymentType: 'PIX';
  @ApiProperty({ example: 'order-1' }) transactionOrderId: string;
  @ApiProperty({ example: 'Supplier' }) transactionOrderDescription: string;
  @ApiProperty(AMOUNT) transactionCharges: string;
  @ApiProperty({ example: 'https://partner.example/hooks/pix' }) webhookUrl: string;
  @ApiProperty({ description: 'Address of the receipt; empty unless Completed', example: '' })
  transactionReceipt: string;
  @ApiProperty(MOMENT) transactionReceiptDate: string | null;
  @ApiProperty({ description: 'EndToEndId, or empty', example: '' }) transactionReceiptVoucher: string;
  @ApiProperty(MOMENT) stateRegisteredDate: string | null;
  @ApiProperty(MOMENT) stateCompletedDate: string | null;
  @ApiProperty(MOMENT) stateErrorDate?: string;
  @ApiProperty({ example: 'AC07' }) stateErrorCause?: string;
  @ApiProperty(MOMENT) stateCancelledDate?: string;
  @ApiProperty(MOMENT) stateReversedDate?: string;
  /** Of a cash-out */
  recipient?: NotificationPartyDto;
  /** Of a cash-in */
  payer?: NotificationPartyDto;
}

const NOTIFICATION = signedMessage(
  NotificationDto,
  'A transaction came to another state',
  'One delivery a change, in order within a transaction and its refunds',
);

/**
 * The callback of a route that takes an address. Each route names its own, as generators make functions of the names.
 */
export const notifies = (callback: string) => ({
  models: [NotificationDto],
  callbacks: { [callback]: { '{$request.body#/webhook/url}': NOTIFICATION } },
});
