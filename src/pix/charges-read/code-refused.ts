/** Why a code that is whole cannot be paid, in the order in which the rules are looked at. */
export const CODE_REFUSALS = {
  QrCodeKindNotSupported: 'The code asks for a recurrence or for cash, and neither is paid here.',
  QrCodeKeyInvalid: 'What the code pays to is no Pix key.',
  QrCodeUnreachable: 'The charge could not be fetched from the address in the code.',
  QrCodeUnknown: 'The address in the code knows of no such charge.',
  QrCodeSignatureInvalid: 'The charge is not signed by whoever serves it.',
  QrCodePayloadInvalid: 'The charge is not as the rules of Pix want it.',
  QrCodeNotActive: 'The charge was paid, or was taken back.',
  QrCodeExpired: 'The time to pay the charge is over.',
} as const;

export type CodeRefusal = keyof typeof CODE_REFUSALS;

export class CodeRefused extends Error {
  override readonly name = 'CodeRefused';

  /** @param detail for the operator's log, without what the charge says */
  constructor(
    readonly reason: CodeRefusal,
    readonly detail: string = reason,
  ) {
    super(CODE_REFUSALS[reason]);
  }
}
