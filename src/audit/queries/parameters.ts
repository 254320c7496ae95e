import { malformed, Means } from '../../platform/http/index.js';

/** Numbers in paths and queries. */

const NO_PARTITION = 'must be the number of a partition';

const toPartition = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined);
const toPosition = (text: string) => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);

/** @throws ValidationError */
export function parsePartition(text: string): number {
  const partition = toPartition(text);
  if (partition === undefined) throw malformed('partition', NO_PARTITION);
  return partition;
}

export const IsPartition = () => Means('isPartition', toPartition, NO_PARTITION);
export const IsPosition = () => Means('isPosition', toPosition, 'must be a whole number');
