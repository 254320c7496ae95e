import type { ClientConfig } from 'pg';

/** The role that the service works as. Migrations create it; it may not change or delete events. */
export const SERVICE_ROLE = 'payments_service';

export interface SessionLimits {
  /** Milliseconds after which the server gives up on one statement. */
  readonly statementTimeout: number;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockTimeout: number;
  /** Milliseconds that an open transaction may wait for its client, so that a vanished one frees its locks. */
  readonly idleInTransaction: number;
}

/** Connection settings of the service: its role and its limits are set before the first statement. */
export function serviceConnection(url: string, purpose: string, limits: SessionLimits): ClientConfig {
  return {
    connectionString: url,
    application_name: `payments ${purpose}`,
    options: [
      `-c role=${SERVICE_ROLE}`,
      `-c statement_timeout=${limits.statementTimeout}`,
      `-c lock_timeout=${limits.lockTimeout}`,
      // Everything here goes by key. A plan made while a table was small would scan it long after it has grown.
      '-c enable_seqscan=off',
      `-c idle_in_transaction_session_timeout=${limits.idleInTransaction}`,
    ].join(' '),
    // In a pool also how long a statement waits for a connection to be free.
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    // Above the server's own limit: this one is for a network that swallows answers.
    query_timeout: limits.statementTimeout + 2_000,
  };
}
