import { OperationError } from '../../platform/errors/index.js';

/** Why a well-formed code cannot be paid, in the order of the checks. */
export const CODE_REFUSALS = {
  QrCodeKindNotSupported: 'Codes of this kind are not paid here.',
  QrCodeKeyInvalid: 'What the code pays to is no Pix key.',
  QrCodeUnreachable: 'The charge could not be fetched from the address in the code.',
  QrCodeUnknown: 'The address in the code knows of no such charge.',
  QrCodeSignatureInvalid: 'The charge is not signed by whoever serves it.',
  QrCodePayloadInvalid: 'The charge is not as the rules of Pix want it.',
  QrCodeNotActive: 'The charge was paid, or was taken back.',
  QrCodeExpired: 'The time to pay the charge is over.',
} as const;

/** Why a payable code cannot be paid as the partner requests. */
const PAYMENT_REFUSALS = {
  QrCodeAmountRequired: 'The code leaves the amount to the payer: send `payment.value`.',
  QrCodeAmountMismatch: 'The code fixes another amount than `payment.value`.',
  QrCodeRecipientMismatch: 'The code pays somebody else than `payment.recipient`.',
} as const;

export type CodeRefusal = keyof typeof CODE_REFUSALS;
export type PaymentRefusal = CodeRefusal | keyof typeof PAYMENT_REFUSALS;

/** All of them, for documents. */
export const PAYMENT_REASONS = Object.keys({ ...CODE_REFUSALS, ...PAYMENT_REFUSALS }) as PaymentRefusal[];

/** 422: the code, or its charge, cannot be paid, or not as the partner requests. */
export class CodeRefused extends OperationError {
  /** @param detail for the operator's log, without content of the charge */
  constructor(
    readonly reason: PaymentRefusal,
    readonly detail: string = reason,
  ) {
    super(reason, { ...CODE_REFUSALS, ...PAYMENT_REFUSALS }[reason]);
  }
}
