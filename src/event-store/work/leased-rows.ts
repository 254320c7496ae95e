import { LEASE_MS } from './held-lease.js';
import type { WorkSource } from './work-source.js';

/** What statements say of any table of leased rows: `work`, `webhook_delivery`. */

/**
 * Not leased, and until when a lease lasts. The database's clock is one for all processes: one whose own is ahead would
 * take what another holds. A lease that would last longer was written by somebody else.
 */
export const FREE = `(leased_until is null or leased_until < now() or leased_until > now() + interval '1 minute')`;
export const LEASED_UNTIL = `now() + interval '${LEASE_MS} milliseconds'`;

/**
 * Begins a statement that locks the rows `$2` of a partition as `own`, in the order of their ids, as all do that lock
 * several: two of them never deadlock.
 */
export const lockedInOrder = (table: string, rest = '') => `
        with own as materialized (
          select id from ${table}
          where partition = $1 and id = any($2::uuid[]) ${rest}
          order by id for update)`;

/** @param name with which those of the statements begin */
export function leaseStatements(table: string, name: string): Pick<WorkSource<never>, 'renew' | 'release'> {
  const owned = (change: string) => `${lockedInOrder(table, 'and lease = $3')}
        update ${table} set ${change} where partition = $1 and id = any(array(select id from own))`;
  return {
    renew: (partition, ids, lease) => ({
      name: `${name}-renew`,
      text: `${owned(`leased_until = ${LEASED_UNTIL}`)} returning id`,
      values: [partition, ids, lease],
    }),
    release: (partition, ids, lease) => ({
      name: `${name}-release`,
      text: owned('lease = null, leased_until = null'),
      values: [partition, ids, lease],
    }),
  };
}
