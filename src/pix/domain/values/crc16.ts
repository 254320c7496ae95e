const POLYNOMIAL = 0x1021;
const INITIAL = 0xffff;

/**
 * CRC-16/CCITT-FALSE of the text's UTF-8 bytes as four capital hexadecimal digits: the checksum of EMV MPM codes
 * (EMVCo MPM 1.1, 4.7.3; ISO/IEC 13239). Of `123456789` it is `29B1`.
 */
export function crc16(text: string): string {
  let register = INITIAL;
  for (const byte of Buffer.from(text, 'utf8')) {
    register ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      register = (register & 0x8000) === 0 ? register << 1 : (register << 1) ^ POLYNOMIAL;
    }
    register &= 0xffff;
  }
  return register.toString(16).toUpperCase().padStart(4, '0');
}
