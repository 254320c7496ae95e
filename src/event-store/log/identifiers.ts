import { createHash } from 'node:crypto';
import { randomHex } from './random-pool.js';

/** Partitions fit in the 12 bits of UUIDv7's `rand_a`. */
export const MAX_PARTITIONS = 4096;

/** The partition of the registry: partners, access keys, settings. */
export const REGISTRY_PARTITION = 0;

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * A UUIDv7 (RFC 9562) whose `rand_a` field carries the ledger partition, so that a look-up by
 * identifier goes to one partition. The partition is a hint for routing, never an authorization.
 */
export function newId(partition: number, at: number = Date.now()): string {
  if (at !== newest.at || partition !== newest.partition) newest = { at, partition, begin: beginOf(partition, at) };
  const random = randomHex(8);
  return `${newest.begin}${VARIANTS[Number.parseInt(random[0]!, 16) & 0x3]}${random.slice(1, 4)}-${random.slice(4)}`;
}

/** What all identifiers of a partition and millisecond begin with. */
let newest = { at: NaN, partition: NaN, begin: '' };
const VARIANTS = '89ab';

function beginOf(partition: number, at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${partition.toString(16).padStart(3, '0')}-`;
}

/**
 * A UUIDv8 (RFC 9562) that follows from a text: the first bits of its SHA-256. Tables have such keys, so what it gives
 * for a text never changes. It carries no partition.
 */
export function uuidOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** When an identifier of ours was created: milliseconds since 1970 (RFC 9562 5.7). */
export function createdAt(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The partition that an identifier of ours carries; `undefined` when it cannot be one of ours. */
export function partitionOf(id: string): number | undefined {
  return UUID_V7.test(id) ? Number.parseInt(id.slice(15, 18), 16) : undefined;
}
