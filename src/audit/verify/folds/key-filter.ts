const BITS = 1 << 26;
const PROBES = 4;

/**
 * The spilled keys, as a Bloom filter: 8 MB however many there are. It has no false negatives; with ten million keys
 * about one in twenty new ones is a false positive, which costs time and no correctness.
 */
export class KeyFilter {
  #words: Uint32Array | undefined;

  add(key: string): void {
    const words = (this.#words ??= new Uint32Array(BITS / 32));
    const { first, step } = hashesOf(key);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + Math.imul(probe, step)) & (BITS - 1);
      words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  mayHave(key: string): boolean {
    const words = this.#words;
    if (!words) return false;
    const { first, step } = hashesOf(key);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + Math.imul(probe, step)) & (BITS - 1);
      if (!((words[bit >>> 5]! >>> (bit & 31)) & 1)) return false;
    }
    return true;
  }
}

/** FNV-1a and a second hash to step by (Kirsch and Mitzenmacher). */
function hashesOf(key: string): { first: number; step: number } {
  let first = 0x811c9dc5;
  let step = 0x9e3779b9;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    first = Math.imul(first ^ code, 0x01000193);
    step = Math.imul(step ^ code, 0x85ebca6b);
    step ^= step >>> 13;
  }
  return { first, step: step | 1 };
}
