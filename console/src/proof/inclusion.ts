import { sha256 } from './leaf.js';

/** A step of a Merkle path: the sibling, its side, and the parent of both. */
export interface PathStep {
  readonly side: 'left' | 'right';
  readonly sibling: Uint8Array<ArrayBuffer>;
  readonly node: Uint8Array<ArrayBuffer>;
}

/**
 * The root computed by a path, for the leaf at `index` of `size` (RFC 6962, 2.1.1; docs/audit-format.md, "Inclusion").
 * `null` for a path that is too short or too long for that index.
 * @param steps receives the steps, from the leaf up
 */
export async function rootFromPath(
  leaf: Uint8Array<ArrayBuffer>,
  index: bigint,
  size: bigint,
  path: readonly Uint8Array<ArrayBuffer>[],
  steps: PathStep[] = [],
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (index < 0n || index >= size) return null;
  const up = (side: PathStep['side'], sibling: Uint8Array<ArrayBuffer>, above: Uint8Array<ArrayBuffer>) => {
    steps.push({ side, sibling, node: above });
    return above;
  };
  const step = async (at: bigint, among: bigint, length: number): Promise<Uint8Array<ArrayBuffer> | null> => {
    if (among === 1n) return length === 0 ? leaf : null;
    const sibling = path[length - 1];
    if (sibling === undefined) return null;
    const left = largestPowerBelow(among);
    if (at < left) {
      const root = await step(at, left, length - 1);
      return root && up('right', sibling, await node(root, sibling));
    }
    const root = await step(at - left, among - left, length - 1);
    return root && up('left', sibling, await node(sibling, root));
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
