const ISPB = /^[0-9A-Z]{8}$/;

/**
 * Parses an ISPB: eight digits or letters (BCB, API Pix 2.9). Lower case becomes upper case; `undefined` for another
 * format.
 */
export function parseIspb(text: string): string | undefined {
  // ASCII only: `toUpperCase` makes two letters of `ß`, and an ASCII one of `ı`.
  const written = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return ISPB.test(written) ? written : undefined;
}
