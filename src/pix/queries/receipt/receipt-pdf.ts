import PDFDocument from 'pdfkit';
import type { Receipt, ReceiptText } from './receipt.js';
import { receiptText } from './receipt.js';

const LABEL_WIDTH = 190;
const GREY = '#555555';
/** Longer than names are. A text without a space takes time by the square of its length, and others' drawings wait. */
const LONGEST = 500;

/**
 * The receipt as PDF, one page of A4. The same receipt gives the same bytes: the document's own date is the payment's.
 */
export function receiptPdf(receipt: Receipt): Promise<Buffer> {
  const text = receiptText(receipt);
  const document = new PDFDocument({
    size: 'A4',
    margin: 56,
    lang: 'pt-BR',
    info: {
      Title: text.title,
      Author: writable(receipt.institution.name),
      CreationDate: receipt.completedAt,
      ModDate: receipt.completedAt,
    },
  });
  const chunks: Buffer[] = [];
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  write(document, text);
  document.end();
  return written;
}

function write(document: PDFKit.PDFDocument, { title, sections, footer }: ReceiptText): void {
  document.font('Helvetica-Bold').fontSize(18).text(title).moveDown(1.5);
  for (const { heading, lines } of sections) {
    document.font('Helvetica-Bold').fontSize(12).fillColor('black').text(heading).moveDown(0.4);
    for (const [label, value] of lines) writeLine(document, label, value);
    document.moveDown(1);
  }
  document.font('Helvetica').fontSize(9).fillColor(GREY).text(writable(footer));
}

function writeLine(document: PDFKit.PDFDocument, label: string, value: string): void {
  const left = document.page.margins.left;
  const width = document.page.width - left - document.page.margins.right - LABEL_WIDTH;
  const top = document.y;
  document.font('Helvetica').fontSize(10).fillColor(GREY).text(label, left, top, { width: LABEL_WIDTH });
  const below = document.y;
  document.fillColor('black').text(writable(value), left + LABEL_WIDTH, top, { width });
  document.y = Math.max(below, document.y) + 3;
  document.x = left;
}

/**
 * The fonts that every reader has know Windows-1252 only (PDF 32000-1, annex D): Brazilian names fit, and of others the
 * letter without its marks is better than an empty box.
 */
function writable(text: string): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  return Array.from(shown.normalize('NFC'), (character) => {
    if (LATIN.test(character)) return character;
    const bare = character.normalize('NFKD').replace(/\p{M}/gu, '');
    return bare !== '' && [...bare].every((one) => LATIN.test(one)) ? bare : '?';
  }).join('');
}

const LATIN = /^[\x20-\x7e\u00a0-\u00ff]$/;
