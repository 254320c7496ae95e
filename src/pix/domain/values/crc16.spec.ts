import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pixVectors } from '../../../../test/support/pix-vectors.js';
import { crc16 } from './crc16.js';

describe('crc16', () => {
  it('gives the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16(pixVectors.crc16.input)).toBe(pixVectors.crc16.output);
  });

  it('starts from FFFF and always has four capital hexadecimal digits', () => {
    expect(crc16('')).toBe('FFFF');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(crc16(text)).toMatch(/^[0-9A-F]{4}$/);
      }),
    );
  });

  it('counts UTF-8 bytes, so that the residue of text and checksum bytes is zero', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))) }),
        (text) => {
          const checksum = Number.parseInt(crc16(text), 16);
          fc.pre(checksum >> 8 < 0x80 && (checksum & 0xff) < 0x80);
          expect(crc16(text + String.fromCharCode(checksum >> 8, checksum & 0xff))).toBe('0000');
        },
      ),
    );
    expect(crc16('é')).toBe(crc16(Buffer.from([0xc3, 0xa9]).toString('utf8')));
    expect(crc16('é')).not.toBe(crc16('e'));
  });
});
