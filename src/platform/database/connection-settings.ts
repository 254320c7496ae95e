import type { ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';
import { readTimestampsAsDates } from './timestamps.js';

readTimestampsAsDates();

/** The role that the service works as. Migrations create it, without LOGIN; it may not change or delete events. */
export const SERVICE_ROLE = 'payments_service';

const CONNECT_MS = 3_000;

/** What holds in each session of ours, whatever is set for the database or for a role. */
export const FIXED_OPTIONS: readonly string[] = [
  // Whoever may set it could put tables and functions of theirs before ours. Ours would be made elsewhere.
  '-c search_path=public',
  // How statements are read, and how values and definitions are written between the driver and the server.
  '-c standard_conforming_strings=on -c quote_all_identifiers=off',
  '-c datestyle=ISO -c array_nulls=on -c extra_float_digits=1',
  // A session holds its advisory lock while others work for it, listens, or is one that a lane or a pool keeps.
  '-c idle_session_timeout=0',
  // What a statement reads after it has waited for a lock is what the lock's holder has left.
  String.raw`-c default_transaction_isolation=read\ committed`,
];

export interface SessionSettings {
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeout: number;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockTimeout: number;
  /** Milliseconds that an open transaction may wait for its client, so that a lost client frees its locks. */
  readonly idleInTransaction: number;
  /** Whether a commit waits for the disk; by default it does. */
  readonly waitsForDisk?: boolean;
}

/**
 * Connection settings of the service: its role and timeouts are set before the first statement. Address, credentials
 * and server options come from the URL; its options precede the service's own, since the later of two wins. If pg
 * parsed the URL itself, each URL parameter would override these settings.
 */
export function serviceConnection(url: string, purpose: string, settings: SessionSettings): ClientConfig {
  const { host, port, user, password, database, ssl, sslnegotiation, client_encoding, options } = parse(url);
  return {
    ...({ host, port, user, password, database, ssl, sslnegotiation, client_encoding } as ClientConfig),
    application_name: `payments ${purpose}`,
    options: [
      ...(options ? [options] : []),
      `-c role=${SERVICE_ROLE}`,
      `-c statement_timeout=${settings.statementTimeout}`,
      `-c lock_timeout=${settings.lockTimeout}`,
      ...FIXED_OPTIONS,
      // All statements are keyed. A plan made while a table was small would still scan it after it has grown.
      '-c enable_seqscan=off',
      ...(settings.waitsForDisk === false ? ['-c synchronous_commit=off'] : []),
      `-c idle_in_transaction_session_timeout=${settings.idleInTransaction}`,
    ].join(' '),
    // In a pool, also the wait for a free connection.
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // Above the server's own timeout: this one is for lost answers.
    query_timeout: settings.statementTimeout + 2_000,
  };
}

/**
 * The first statement of every session: each statement gets one generic plan. A custom plan assumes that a partition
 * without statistics is empty, and may use any index that begins with the partition, so that a keyed read scans the
 * partition. Single rows would also be planned again at each execution, because an array of unknown length counts as
 * ten. Citus needs the parameters to find the shard, so it keeps custom plans.
 */
export const PLAN_ONCE = {
  text: `
    select set_config('plan_cache_mode', 'force_generic_plan', false)
    where not exists (select from pg_extension where extname = 'citus')`,
  query_timeout: CONNECT_MS,
};
