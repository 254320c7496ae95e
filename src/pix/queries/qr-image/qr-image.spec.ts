import { describe, expect, it } from '@jest/globals';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { pixVectors } from '../../../../test/support/pix-vectors.js';
import { encodeDynamicBrCode } from '../../domain/values/br-code.js';
import { qrImage } from './qr-image.js';

async function read(code: string): Promise<string | undefined> {
  const image = PNG.sync.read(await qrImage(code));
  return jsQR.default(new Uint8ClampedArray(image.data), image.width, image.height)?.data;
}

describe('QR image', () => {
  it.each(pixVectors.brCodes.valid)('decodes back to the very code: %s', async (code) => {
    await expect(read(code)).resolves.toBe(code);
  });

  it('holds the longest code that we can issue', async () => {
    const code = encodeDynamicBrCode({
      location: `pagamentos.instituicao.exemplo.br/${'a'.repeat(43)}`,
      merchantName: 'N'.repeat(25),
      merchantCity: 'C'.repeat(15),
      amount: 999_999_999_999n,
    });
    await expect(read(code)).resolves.toBe(code);
  });

  it('is packed as shades of grey, in fewer bytes than colours take', async () => {
    const image = await qrImage(pixVectors.brCodes.valid[0]!);
    expect(image[25]).toBe(0); // IHDR's colour type
    expect(image.length).toBeLessThan(2_500);
  });

  it('leaves four modules of white around the code, so that every reader finds it', async () => {
    const image = PNG.sync.read(await qrImage(pixVectors.brCodes.valid[0]!));
    const border = 4 * 6;
    const shade = (x: number, y: number) => image.data[(y * image.width + x) * 4];
    for (let at = 0; at < image.width; at += 1) {
      expect(shade(at, border - 1)).toBe(255);
      expect(shade(border - 1, at)).toBe(255);
    }
    expect(shade(border, border)).toBe(0);
  });
});
