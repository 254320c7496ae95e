/** Which rule of the BR Code was broken. */
export enum BrCodeFault {
  /** The text as a whole, or the length of one of its fields, is wrong. */
  Length = 'Length',
  /** The CRC is missing, not the last field, or not that of the text. */
  Checksum = 'Checksum',
  /** One identifier occurs twice at one level. */
  Duplicate = 'Duplicate',
  /** Field 00 is not the first, or not `01`. */
  PayloadFormat = 'PayloadFormat',
  /** Field 01 is neither `11` nor `12`. */
  PointOfInitiation = 'PointOfInitiation',
  /** No template with the GUI `br.gov.bcb.pix`. */
  Gui = 'Gui',
  /** The Pix template has neither key nor location, or both. */
  KeyOrLocation = 'KeyOrLocation',
  /** The location has a scheme, is too long, or is no address. */
  Location = 'Location',
  /** The withdrawal facilitator (`fss`) is not an ISPB. */
  WithdrawalFacilitator = 'WithdrawalFacilitator',
  MerchantCategory = 'MerchantCategory',
  Currency = 'Currency',
  Amount = 'Amount',
  Country = 'Country',
  MerchantName = 'MerchantName',
  MerchantCity = 'MerchantCity',
  Txid = 'Txid',
}

/** A text that is not a BR Code, or values that none can be made of. */
export class BrCodeError extends Error {
  override readonly name = 'BrCodeError';

  constructor(
    readonly reason: BrCodeFault,
    message: string,
  ) {
    super(message);
  }
}
