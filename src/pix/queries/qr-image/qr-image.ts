import { toBuffer } from 'qrcode';

/** Modules of white around the code: ISO/IEC 18004 wants four. */
const QUIET_ZONE = 4;
const PIXELS_PER_MODULE = 6;

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
  });
}
