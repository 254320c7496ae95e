import { REGISTRY_PARTITION } from '../log/identifiers.js';

/**
 * Secrets of access keys, auditors and partners are beside the registry's tables; a partition's own are beside its log.
 */
export const SECRET_TABLES = ['secret', 'registry_secret'] as const;

export type SecretTable = (typeof SECRET_TABLES)[number];

export function secretTableOf(partition: number): SecretTable {
  return partition === REGISTRY_PARTITION ? 'registry_secret' : 'secret';
}
