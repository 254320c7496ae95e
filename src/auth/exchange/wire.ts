/** An entry of a message between processes: `key=number`, separated by spaces. No key has either character. */
export type Entry = readonly [key: string, number: number];

/** Whole, not below zero, and no more than any count: the longest pause has seven digits of milliseconds. */
const ENTRY = /^([^=]+)=(\d{1,7})$/;

/**
 * @param write adds entries, until one does not fit
 * @returns `undefined` for none
 */
export function pack(
  maxCharacters: number,
  write: (add: (key: string, number: number) => boolean) => void,
): string | undefined {
  let text = '';
  write((key, number) => {
    const entry = `${text && ' '}${key}=${number}`;
    if (text.length + entry.length > maxCharacters) return false;
    text += entry;
    return true;
  });
  return text || undefined;
}

/** Whoever has a connection may send a message: what is no entry is passed over. */
export function unpack(payload: string): Entry[] {
  return payload.split(' ').flatMap((text): Entry[] => {
    const [, key, number] = ENTRY.exec(text) ?? [];
    return key === undefined ? [] : [[key, Number(number)]];
  });
}
