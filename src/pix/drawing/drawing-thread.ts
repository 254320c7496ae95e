import { qrImage as png } from '../queries/qr-image/qr-image.js';

/** The functions that `Drawings` runs in its thread, by name. */
export { receiptPdf } from '../queries/receipt/receipt-pdf.js';

/** @returns base64 of the PNG */
export async function qrImage(code: string): Promise<string> {
  return (await png(code)).toString('base64');
}
