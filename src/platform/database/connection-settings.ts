import type { ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';

/** The role that the service works as. Migrations create it; it may not change or delete events. */
export const SERVICE_ROLE = 'payments_service';

const CONNECT_MS = 3_000;

export interface SessionSettings {
  /** Milliseconds after which the server gives up on one statement. */
  readonly statementTimeout: number;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockTimeout: number;
  /** Milliseconds that an open transaction may wait for its client, so that a vanished one frees its locks. */
  readonly idleInTransaction: number;
  /** Whether a commit is answered when it is on disk; where nothing is said, it is. */
  readonly waitsForDisk?: boolean;
}

/**
 * Connection settings of the service: its role and its limits are set before the first statement. Of the URL it takes
 * where and as whom to connect, and the server options, before its own: of two the server takes the later. pg, given the
 * URL itself, would let each of its parameters replace what stands here.
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
      // Everything here goes by key. A plan made while a table was small would scan it long after it has grown.
      '-c enable_seqscan=off',
      ...(settings.waitsForDisk === false ? ['-c synchronous_commit=off'] : []),
      `-c idle_in_transaction_session_timeout=${settings.idleInTransaction}`,
    ].join(' '),
    // In a pool also how long a statement waits for a connection to be free.
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // Above the server's own limit: this one is for a network that swallows answers.
    query_timeout: settings.statementTimeout + 2_000,
  };
}

/**
 * The first statement of every session: each statement is planned once, for any parameters. A plan for these takes a
 * partition that no statistics know yet for empty, and then any index that begins with the partition will do: a read by
 * key went through all of the partition. It also plans what is about one row anew each time, because an array of unknown
 * length counts as ten. Citus needs the parameters to find the shard: it has none of this.
 */
export const PLAN_ONCE = {
  text: `
    select set_config('plan_cache_mode', 'force_generic_plan', false)
    where not exists (select from pg_extension where extname = 'citus')`,
  query_timeout: CONNECT_MS,
};
