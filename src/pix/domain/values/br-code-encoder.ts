import { BrCodeError, BrCodeFault } from './br-code-error.js';
import {
  BR_CODE_FIELD as FIELD,
  BRAZIL,
  BRL,
  isLocation,
  MAXIMUM,
  NO_CATEGORY,
  NO_TXID,
  ONE_TIME,
  PAYLOAD_FORMAT,
  PIX_FIELD,
  PIX_GUI,
  TXID_FIELD,
} from './br-code-fields.js';
import { crc16 } from './crc16.js';
import { encodeField } from './emv-tlv.js';

export interface DynamicBrCode {
  /** Where the payer's bank fetches the charge: host and path without the scheme, at most 77 characters. */
  readonly location: string;
  /** Any text; written without accents and cut to 25 characters. */
  readonly merchantName: string;
  /** Any text; written without accents and cut to 15 characters. */
  readonly merchantCity: string;
  /** Centavos, above zero. Only for display: the payer's bank takes the amount from the location. */
  readonly amount?: bigint;
}

/**
 * Makes the copy-and-paste text of a dynamic Pix charge (BCB, "Manual de Padrões para Iniciação do Pix", 2.7): ASCII,
 * payable once, txid `***`. Throws `BrCodeError` for what cannot be written: `Location`, `MerchantName`,
 * `MerchantCity` (nothing left after transliteration), `Amount`.
 */
export function encodeDynamicBrCode({ location, merchantName, merchantCity, amount }: DynamicBrCode): string {
  if (!isLocation(location))
    throw new BrCodeError(
      BrCodeFault.Location,
      'the location is not an address without scheme, of at most 77 characters',
    );
  const body = [
    encodeField(FIELD.payloadFormat, PAYLOAD_FORMAT),
    encodeField(FIELD.pointOfInitiation, ONE_TIME),
    encodeField(FIELD.merchantAccount, encodeField(PIX_FIELD.gui, PIX_GUI) + encodeField(PIX_FIELD.location, location)),
    encodeField(FIELD.merchantCategory, NO_CATEGORY),
    encodeField(FIELD.currency, BRL),
    amount === undefined ? '' : encodeField(FIELD.amount, writeAmount(amount)),
    encodeField(FIELD.country, BRAZIL),
    encodeField(FIELD.merchantName, toPlainText(merchantName, MAXIMUM.merchantName, BrCodeFault.MerchantName)),
    encodeField(FIELD.merchantCity, toPlainText(merchantCity, MAXIMUM.merchantCity, BrCodeFault.MerchantCity)),
    encodeField(FIELD.additionalData, encodeField(TXID_FIELD, NO_TXID)),
  ].join('');
  return withChecksum(body);
}

/** Appends field 63. The checksum covers its own identifier and length (EMVCo MPM 1.1, 4.7.3). */
export function withChecksum(body: string): string {
  const covered = `${body}${FIELD.checksum}04`;
  return covered + crc16(covered);
}

function writeAmount(centavos: bigint): string {
  const digits = centavos.toString().padStart(3, '0');
  const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  if (centavos <= 0n || text.length > MAXIMUM.amountLength) {
    throw new BrCodeError(BrCodeFault.Amount, 'the amount is not above zero or has more than 13 characters');
  }
  return text;
}

/** Letters that Unicode does not decompose, for names of other countries. */
const LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Ł: 'L',
  ł: 'l',
  Þ: 'TH',
  þ: 'th',
  ß: 'ss',
  ı: 'i',
};

/** "São João d’Água" becomes "Sao Joao d'Agua": readers count bytes or characters, and in ASCII both are the same. */
function toPlainText(text: string, maximum: number, fault: BrCodeFault): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’]/g, "'")
    .replace(/[‐-―]/g, '-')
    .replace(/[^\x20-\x7e]/g, (character) => LETTERS[character] ?? ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maximum)
    .trimEnd();
  if (plain === '') throw new BrCodeError(fault, 'nothing of the text can be written in ASCII');
  return plain;
}
