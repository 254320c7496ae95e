import { BrCodeError, type BrCodeFault } from '../../src/pix/domain/values/br-code.js';

/** Why `work` was refused; `undefined` where it was not. Any other error goes on its way. */
export function brCodeFaultOf(work: () => unknown): BrCodeFault | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof BrCodeError) return error.reason;
    throw error;
  }
}
