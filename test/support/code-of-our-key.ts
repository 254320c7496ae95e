import { withChecksum } from '../../src/pix/domain/values/br-code-encoder.js';
import { encodeField } from '../../src/pix/domain/values/emv-tlv.js';

/** A static code of the key that receives deposits: it names no charge. */
export function codeOfOurKey(amount: string): string {
  const key = encodeField('00', 'br.gov.bcb.pix') + encodeField('01', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906');
  const fields = [
    ['00', '01'],
    ['26', key],
    ['52', '0000'],
    ['53', '986'],
    ['54', amount],
    ['58', 'BR'],
  ] as const;
  const payee = [
    ['59', 'Loja'],
    ['60', 'SAO PAULO'],
    ['62', encodeField('05', '***')],
  ] as const;
  return withChecksum([...fields, ...payee].map(([id, value]) => encodeField(id, value)).join(''));
}
