/** Of SHA-256. */
const BYTES = 32;

/** The digests of a file's chunks as the log has them: one after the other, base64. */
export function writeDigests(digests: readonly Buffer[]): string {
  return Buffer.concat(digests).toString('base64');
}

/** One that is not there whole is left out. */
export function readDigests(text: string): Buffer[] {
  const all = Buffer.from(text, 'base64');
  return Array.from({ length: Math.floor(all.length / BYTES) }, (_, i) => all.subarray(i * BYTES, (i + 1) * BYTES));
}
