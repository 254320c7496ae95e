import { parseIspb } from '../../../platform/ispb.js';
import { BrCodeError, BrCodeFault } from './br-code-error.js';
import {
  BR_CODE_FIELD as FIELD,
  BRAZIL,
  BRL,
  isLocation,
  MAXIMUM,
  NO_TXID,
  PAYLOAD_FORMAT,
  PIX_FIELD,
  PIX_GUI,
  TXID_FIELD,
} from './br-code-fields.js';
import { crc16 } from './crc16.js';
import { type EmvFields, parseFields } from './emv-tlv.js';
import type { BrCodeCommon, ParsedBrCode, ParsedStaticBrCode } from './parsed-br-code.js';

const CHECKSUM = new RegExp(`${FIELD.checksum}04[0-9A-F]{4}$`);
const AMOUNT = /^[0-9]{1,10}(?:\.[0-9]{1,2})?$/;
const STATIC_TXID = /^[A-Za-z0-9]{1,25}$/;
const CATEGORY = /^[0-9]{4}$/;

/**
 * Reads a Pix copy-and-paste text: static, dynamic or of a recurrence. Space around it is ignored; unknown fields
 * and other arrangements' templates are tolerated. The checksum is checked first and must be in capitals.
 * Throws `BrCodeError` with the first rule that is broken. Only DICT knows whether the Pix key exists.
 */
export function parseBrCode(copied: string): ParsedBrCode {
  const code = copied.trim();
  if (code.length > MAXIMUM.code) throw new BrCodeError(BrCodeFault.Length, `more than ${MAXIMUM.code} characters`);
  if (!CHECKSUM.test(code) || crc16(code.slice(0, -4)) !== code.slice(-4)) {
    throw new BrCodeError(BrCodeFault.Checksum, 'the checksum is missing or is not that of the text');
  }
  const fields = parseFields(code);
  const ids = [...fields.keys()];
  check(ids.at(-1) === FIELD.checksum, BrCodeFault.Checksum, 'the checksum is not the last field');
  check(
    ids[0] === FIELD.payloadFormat && fields.get(FIELD.payloadFormat) === PAYLOAD_FORMAT,
    BrCodeFault.PayloadFormat,
    'not 000201',
  );
  check(fields.get(FIELD.currency) === BRL, BrCodeFault.Currency, 'the currency is not 986');
  check(fields.get(FIELD.country) === BRAZIL, BrCodeFault.Country, 'the country is not BR');
  return readPayee(fields, { ...readMerchant(fields), ...readPayment(fields), ...readRecurrence(fields) });
}

function readMerchant(
  fields: EmvFields,
): Pick<BrCodeCommon, 'merchantName' | 'merchantCity' | 'merchantCategory' | 'postalCode'> {
  const merchantName = fields.get(FIELD.merchantName) ?? '';
  const merchantCity = fields.get(FIELD.merchantCity) ?? '';
  const merchantCategory = fields.get(FIELD.merchantCategory) ?? '';
  check(hasLength(merchantName, MAXIMUM.merchantName), BrCodeFault.MerchantName, 'the name has not 1 to 25 characters');
  check(hasLength(merchantCity, MAXIMUM.merchantCity), BrCodeFault.MerchantCity, 'the city has not 1 to 15 characters');
  check(CATEGORY.test(merchantCategory), BrCodeFault.MerchantCategory, 'the category is not four digits');
  return { merchantName, merchantCity, merchantCategory, postalCode: fields.get(FIELD.postalCode) };
}

function readPayment(fields: EmvFields): Pick<BrCodeCommon, 'oneTime' | 'amount'> {
  const initiation = fields.get(FIELD.pointOfInitiation);
  check(
    initiation === undefined || ['11', '12'].includes(initiation),
    BrCodeFault.PointOfInitiation,
    'neither 11 nor 12',
  );
  const amount = fields.get(FIELD.amount);
  if (amount === undefined) return { oneTime: initiation === '12' };
  check(AMOUNT.test(amount), BrCodeFault.Amount, 'the amount is not digits with at most two decimals');
  const [reais = '', centavos = ''] = amount.split('.');
  return { oneTime: initiation === '12', amount: BigInt(reais + centavos.padEnd(2, '0')) };
}

function readPayee(fields: EmvFields, common: BrCodeCommon): ParsedBrCode {
  const template = readPixTemplate(fields);
  const key = template.get(PIX_FIELD.key);
  const location = template.get(PIX_FIELD.location);
  check(key === undefined || location === undefined, BrCodeFault.KeyOrLocation, 'both a key and a location');
  if (location !== undefined) {
    check(isLocation(location), BrCodeFault.Location, 'the location is not an address without scheme');
    return { kind: 'Dynamic', location, ...common };
  }
  if (key !== undefined) return { kind: 'Static', key, ...readStatic(fields, template), ...common };
  const { recurrenceLocation } = common;
  if (recurrenceLocation !== undefined) return { kind: 'Recurrence', ...common, recurrenceLocation };
  throw new BrCodeError(BrCodeFault.KeyOrLocation, 'neither a key nor a location');
}

function readStatic(
  fields: EmvFields,
  template: EmvFields,
): Pick<ParsedStaticBrCode, 'information' | 'withdrawalFacilitator' | 'txid'> {
  const facilitator = template.get(PIX_FIELD.withdrawalFacilitator);
  const withdrawalFacilitator = facilitator === undefined ? undefined : parseIspb(facilitator);
  check(
    facilitator === undefined || withdrawalFacilitator !== undefined,
    BrCodeFault.WithdrawalFacilitator,
    'fss is not an ISPB',
  );
  const txid = parseFields(fields.get(FIELD.additionalData) ?? '').get(TXID_FIELD) ?? NO_TXID;
  check(txid === NO_TXID || STATIC_TXID.test(txid), BrCodeFault.Txid, 'the txid is not 1 to 25 letters and digits');
  return {
    information: template.get(PIX_FIELD.information),
    withdrawalFacilitator,
    txid: txid === NO_TXID ? undefined : txid,
  };
}

/** The Pix template may stand at any of 26–51. */
function readPixTemplate(fields: EmvFields): EmvFields {
  const pix = pixTemplates(fields, '26', '51');
  check(pix.length <= 1, BrCodeFault.Duplicate, 'more than one Pix template');
  const [template] = pix;
  if (template === undefined) throw new BrCodeError(BrCodeFault.Gui, `no template with the GUI ${PIX_GUI}`);
  return template;
}

function readRecurrence(fields: EmvFields): Pick<BrCodeCommon, 'recurrenceLocation'> {
  const location = pixTemplates(fields, '80', '99')[0]?.get(PIX_FIELD.location);
  check(
    location === undefined || isLocation(location),
    BrCodeFault.Location,
    'the recurrence has no address without scheme',
  );
  return { recurrenceLocation: location };
}

/** The others belong to other arrangements. */
function pixTemplates(fields: EmvFields, first: string, last: string): EmvFields[] {
  return [...fields]
    .filter(([id]) => id >= first && id <= last)
    .map(([, value]) => readTemplate(value))
    .filter(isPix);
}

/** Other arrangements' templates need not be well-formed for us; a Pix one must be. */
function readTemplate(value: string): EmvFields | undefined {
  try {
    return parseFields(value);
  } catch (error) {
    if (value.toLowerCase().includes(PIX_GUI)) throw error;
    return undefined;
  }
}

function isPix(template: EmvFields | undefined): template is EmvFields {
  return template?.get(PIX_FIELD.gui)?.toLowerCase() === PIX_GUI;
}

function hasLength(text: string, maximum: number): boolean {
  return text !== '' && Array.from(text).length <= maximum;
}

function check(condition: boolean, fault: BrCodeFault, message: string): asserts condition {
  if (!condition) throw new BrCodeError(fault, message);
}
