import { constants, getPriority, setPriority } from 'node:os';
import { qrImage as png } from '../queries/qr-image/qr-image.js';

const NICE = 5;

/** The functions that `Drawings` runs in its thread, by name. */
export { receiptPdf } from '../queries/receipt/receipt-pdf.js';

/** @returns base64 of the PNG */
export async function qrImage(code: string): Promise<string> {
  return (await png(code)).toString('base64');
}

/**
 * Drawings yield to payments, but what they need is loaded before that: a process that is busy gave its first receipt
 * seconds of waiting. On Linux a priority is that of the calling thread, elsewhere of the process.
 */
if (process.platform === 'linux') setPriority(Math.min(getPriority() + NICE, constants.priority.PRIORITY_LOW));
