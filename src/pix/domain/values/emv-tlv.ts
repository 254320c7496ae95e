import { BrCodeError, BrCodeFault } from './br-code-error.js';

/** Values by two-digit identifier, in the order of the text. */
export type EmvFields = ReadonlyMap<string, string>;

const TWO_DIGITS = /^[0-9]{2}$/;
const MAXIMUM_LENGTH = 99;

/**
 * Writes one field: identifier, length in characters (two digits), value (EMVCo MPM 1.1, 3.2).
 * Throws `BrCodeError` (`Length`) for a value that is empty or has more than 99 characters.
 */
export function encodeField(id: string, value: string): string {
  const { length } = Array.from(value);
  if (!TWO_DIGITS.test(id) || length === 0 || length > MAXIMUM_LENGTH) {
    throw new BrCodeError(BrCodeFault.Length, `field ${id} would have ${length} characters`);
  }
  return `${id}${String(length).padStart(2, '0')}${value}`;
}

/**
 * Reads the fields of one level. Lengths count characters, not bytes. Throws `BrCodeError`: `Length` where the text
 * does not divide into whole fields of 1 to 99 characters, `Duplicate` where an identifier occurs twice.
 */
export function parseFields(text: string): EmvFields {
  const characters = Array.from(text);
  const fields = new Map<string, string>();
  for (let at = 0; at < characters.length;) {
    const id = characters.slice(at, at + 2).join('');
    const size = characters.slice(at + 2, at + 4).join('');
    if (!TWO_DIGITS.test(id) || !TWO_DIGITS.test(size)) {
      throw new BrCodeError(BrCodeFault.Length, `no field begins at character ${at}`);
    }
    const end = at + 4 + Number(size);
    if (size === '00' || end > characters.length) {
      throw new BrCodeError(BrCodeFault.Length, `field ${id} cannot have ${Number(size)} characters`);
    }
    if (fields.has(id)) throw new BrCodeError(BrCodeFault.Duplicate, `field ${id} occurs twice`);
    fields.set(id, characters.slice(at + 4, end).join(''));
    at = end;
  }
  return fields;
}
