import { sha256 } from './leaf.js';

/**
 * The root that a path leads to, for the leaf at `index` among `size` (RFC 6962, 2.1.1; docs/audit-format.md, "Inclusion").
 * `null` where the path is too short or too long for that place, which proves nothing.
 */
export async function rootFromPath(
  leaf: Uint8Array<ArrayBuffer>,
  index: bigint,
  size: bigint,
  path: readonly Uint8Array<ArrayBuffer>[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (index < 0n || index >= size) return null;
  const step = async (at: bigint, among: bigint, length: number): Promise<Uint8Array<ArrayBuffer> | null> => {
    if (among === 1n) return length === 0 ? leaf : null;
    const sibling = path[length - 1];
    if (sibling === undefined) return null;
    const left = largestPowerBelow(among);
    if (at < left) {
      const root = await step(at, left, length - 1);
      return root && node(root, sibling);
    }
    const root = await step(at - left, among - left, length - 1);
    return root && node(sibling, root);
  };
  return step(index, size, path.length);
}

function node(left: Uint8Array<ArrayBuffer>, right: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return sha256(Uint8Array.from([1, ...left, ...right]));
}

function largestPowerBelow(size: bigint): bigint {
  let power = 1n;
  while (power * 2n < size) power *= 2n;
  return power;
}

/** Whether two hashes are the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
