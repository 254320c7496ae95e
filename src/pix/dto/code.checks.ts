import type { LocatedFault } from '../../platform/http/index.js';
import { BrCodeError, parseBrCode } from '../domain/values/br-code.js';

/** Characters of a copy-and-paste code: EMV QRCPS allows 512, but longer ones have been seen. */
export const MAX_CODE = 600;

/** Faults of the text of a copy-and-paste code. @param path of the member in its body */
export function codeFaults(path: string, qrCode: unknown): LocatedFault[] {
  if (typeof qrCode !== 'string') return [];
  try {
    parseBrCode(qrCode);
    return [];
  } catch (error) {
    if (!(error instanceof BrCodeError)) throw error;
    return [{ path, code: 'InvalidFormat', message: error.message, info: { rule: error.reason } }];
  }
}
