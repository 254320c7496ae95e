/** An entry of a message between processes: `key=number`, separated by spaces. No key has either character. */
export type Entry = readonly [key: string, number: number];

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

export function unpack(payload: string): Entry[] {
  return payload.split(' ').map((entry) => {
    const at = entry.lastIndexOf('=');
    return [entry.slice(0, at), Number(entry.slice(at + 1))];
  });
}
