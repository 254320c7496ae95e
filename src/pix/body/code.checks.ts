import { type LocatedFault } from '../../platform/http/index.js';
import { BrCodeError, parseBrCode } from '../domain/values/br-code.js';

/** What is wrong with a copy-and-paste code, as a text. @param path of the member in its body */
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
