/**
 * The fields of a BR Code: EMVCo MPM 1.1 as BCB narrows it in "Manual do BR Code" and in "Manual de Padrões para
 * Iniciação do Pix", 2.6 (static) and 2.7 (dynamic).
 */
export const BR_CODE_FIELD = {
  payloadFormat: '00',
  pointOfInitiation: '01',
  merchantAccount: '26',
  merchantCategory: '52',
  currency: '53',
  amount: '54',
  country: '58',
  merchantName: '59',
  merchantCity: '60',
  postalCode: '61',
  additionalData: '62',
  checksum: '63',
} as const;

/** Inside the Pix template (26–51), and inside the recurrence template of Pix Automático (80–99). */
export const PIX_FIELD = {
  gui: '00',
  key: '01',
  information: '02',
  withdrawalFacilitator: '03',
  location: '25',
} as const;

/** Inside field 62. */
export const TXID_FIELD = '05';

export const PIX_GUI = 'br.gov.bcb.pix';
export const PAYLOAD_FORMAT = '01';
/** Payable once: the code is dynamic. */
export const ONE_TIME = '12';
/** ISO 4217 number of the Brazilian real. */
export const BRL = '986';
export const BRAZIL = 'BR';
/** "Not informed": the category of every merchant that has none. */
export const NO_CATEGORY = '0000';
/** Stands for "no txid": in dynamic codes the txid is in the payload at the location. */
export const NO_TXID = '***';

export const MAXIMUM = { merchantName: 25, merchantCity: 15, location: 77, amountLength: 13, code: 512 } as const;

const LOCATION =
  /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@/]|%[0-9a-f]{2})*)?$/i;

/** Whether the text is host, optional port and path, with no scheme, of at most 77 characters (BCB, 2.7). */
export function isLocation(text: string): boolean {
  return text.length <= MAXIMUM.location && LOCATION.test(text);
}
