import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8 * 1024;
let pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

// For identifiers and nonces, which are no secrets.

/** Random bytes from a pool: one system call serves hundreds. */
export function randomPart(bytes: number): Buffer {
  const from = take(bytes);
  return pool.subarray(from, used);
}

/** The same as hex. */
export function randomHex(bytes: number): string {
  const from = take(bytes);
  return pool.toString('hex', from, used);
}

/** @returns where they begin; they end at `used` */
function take(bytes: number): number {
  if (used + bytes > POOL_BYTES) {
    // A new one: parts of the old one are in use.
    pool = Buffer.alloc(POOL_BYTES);
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}
