import { REGISTRY_PARTITION } from '../log/identifiers.js';

/** Secrets of access keys, auditors and partners are where the registry's tables are; a partition's own are beside it. */
export const SECRET_TABLES = ['secret', 'registry_secret'] as const;

export type SecretTable = (typeof SECRET_TABLES)[number];

export function secretTableOf(partition: number): SecretTable {
  return partition === REGISTRY_PARTITION ? 'registry_secret' : 'secret';
}
