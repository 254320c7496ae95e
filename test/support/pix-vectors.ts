import { readFileSync } from 'node:fs';

export interface PixVectors {
  crc16: { input: string; output: string };
  brCodes: { valid: string[]; invalid: { code: string; why: string }[] };
  cnpj: { valid: string[]; invalid: string[] };
  cpf: { valid: string[]; invalid: string[] };
  keys: { valid: [type: string, value: string][]; invalid: [type: string, value: string][] };
  endToEndId: { valid: string[]; invalid: string[] };
}

/** The given test vectors of the Pix formats. */
export const pixVectors = JSON.parse(
  readFileSync(new URL('../vectors/pix.json', import.meta.url), 'utf8'),
) as PixVectors;
