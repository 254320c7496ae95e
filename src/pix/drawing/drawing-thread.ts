import { qrImage as png } from '../qr-image/qr-image.js';

/** What `Drawings` has made by its thread, by name. */
export { receiptPdf } from '../receipt/receipt-pdf.js';

/** @returns base64 of the PNG */
export async function qrImage(code: string): Promise<string> {
  return (await png(code)).toString('base64');
}
