const BITS = 1 << 27;
const PROBES = 4;

/**
 * Which keys were put away, as a Bloom filter: 16 MB however many there are. It never forgets one; of ten million
 * keys it takes about one in two hundred new ones for an old one, which costs time and no correctness.
 */
export class KeyFilter {
  #words: Uint32Array | undefined;

  add(key: string): void {
    const words = (this.#words ??= new Uint32Array(BITS / 32));
    for (const bit of bitsOf(key)) words[bit >>> 5]! |= 1 << (bit & 31);
  }

  mayHave(key: string): boolean {
    const words = this.#words;
    return words !== undefined && bitsOf(key).every((bit) => (words[bit >>> 5]! >>> (bit & 31)) & 1);
  }
}

/** FNV-1a with two offsets, combined (Kirsch and Mitzenmacher). */
function bitsOf(key: string): number[] {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  const step = b | 1;
  return Array.from({ length: PROBES }, (_, i) => ((a + Math.imul(i, step)) >>> 0) & (BITS - 1));
}
