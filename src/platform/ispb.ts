const ISPB = /^[0-9A-Z]{8}$/;

/**
 * Reads an ISPB: eight digits or letters (BCB, API Pix 2.9). Lower case is read as capitals; `undefined` for another
 * shape.
 */
export function parseIspb(text: string): string | undefined {
  // Capitals of ASCII alone: `ß` would become two letters, and `ı` one.
  const written = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return ISPB.test(written) ? written : undefined;
}
