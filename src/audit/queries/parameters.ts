import { ValidationError } from '../../platform/errors/index.js';

/** Numbers in paths and queries. @throws ValidationError */

export function parsePartition(text: string | undefined): number {
  if (text === undefined || !/^\d{1,4}$/.test(text)) throw fault('partition', 'must be the number of a partition');
  return Number(text);
}

export function parsePosition(name: string, text: string | undefined): bigint {
  if (text === undefined || !/^\d{1,18}$/.test(text)) throw fault(name, 'must be a whole number');
  return BigInt(text);
}

function fault(path: string, message: string): ValidationError {
  return new ValidationError([{ path, code: 'InvalidFormat', message, info: {} }]);
}
