import { describe, expect, it } from '@jest/globals';
import { ReceiptAddresses } from './receipt-address.js';

const ID = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';
const OTHER = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f';
const with_ = (byte: number) =>
  new ReceiptAddresses({ publicUrl: 'https://pix.exemplo.br', secrets: { keyPepper: Buffer.alloc(32, byte) } });
const addresses = with_(1);
const secret = addresses.of(ID, 'stored').split('/').at(-1)!;

describe('address of a receipt', () => {
  it('is below the public address, and the same each time', () => {
    expect(addresses.of(ID, 'stored')).toMatch(
      new RegExp(`^https://pix\\.exemplo\\.br/pix/receipts/${ID}/[\\w-]{22}$`),
    );
    expect(addresses.of(ID, 'stored')).toBe(with_(1).of(ID, 'stored'));
  });

  it('cannot be made from what is stored, without the key', () => {
    expect(addresses.of(ID, 'stored')).not.toContain('stored');
    expect(with_(2).of(ID, 'stored')).not.toBe(addresses.of(ID, 'stored'));
  });

  it('takes its own secret and no other', () => {
    expect(addresses.isSecret(secret, ID, 'stored')).toBe(true);
    for (const wrong of [secret.slice(0, -1), `${secret}A`, secret.toLowerCase(), '', 'stored']) {
      expect(addresses.isSecret(wrong, ID, 'stored')).toBe(false);
    }
    expect(addresses.isSecret(secret, OTHER, 'stored')).toBe(false);
    expect(addresses.isSecret(secret, ID, 'another')).toBe(false);
  });
});
