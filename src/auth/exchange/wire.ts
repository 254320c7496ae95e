/** A key and a number, as processes tell them to each other: `key=number`, separated by spaces. No key has either. */
export type Entry = readonly [key: string, number: number];

/**
 * @param write adds entries, until one has no room any more
 * @returns `undefined` for none
 */
export function pack(
  mostCharacters: number,
  write: (add: (key: string, number: number) => boolean) => void,
): string | undefined {
  let text = '';
  write((key, number) => {
    const entry = `${text && ' '}${key}=${number}`;
    if (text.length + entry.length > mostCharacters) return false;
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
