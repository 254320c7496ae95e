import { Client } from 'pg';
import { parse } from 'pg-connection-string';
import { FIXED_OPTIONS } from './connection-settings.js';

/** After a minute the server ends a transaction that its client leaves open, and the session of a host that is gone. */
const IDLE_MS = 60_000;
const KEEPALIVES = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

const OPTIONS = [KEEPALIVES, ...FIXED_OPTIONS].join(' ');

/**
 * The URL of the database's owner with limits of its session, so that one whose host vanished holds no lock for hours.
 * They come last: of a URL's parameters, and of its options, the later wins.
 * @param lockTimeout milliseconds that a statement waits for a lock; without it as long as it takes
 */
export function ownerUrl(url: string, lockTimeout?: number): string {
  const { options } = parse(url);
  const limits = new URLSearchParams({
    ...(lockTimeout === undefined ? {} : { lock_timeout: String(lockTimeout) }),
    // A migration, or a table that moves, takes the time that it takes, whatever limit its owner has for other work.
    statement_timeout: '0',
    idle_in_transaction_session_timeout: String(IDLE_MS),
    options: options ? `${options} ${OPTIONS}` : OPTIONS,
  });
  return `${url}${url.includes('?') ? '&' : '?'}${limits.toString()}`;
}

/**
 * A session of the database's owner, to be connected; see `ownerUrl`. Where its connection breaks while it waits for
 * somebody, the next statement fails.
 */
export function ownerClient(url: string, purpose: string, lockTimeout?: number): Client {
  const client = new Client({ connectionString: ownerUrl(url, lockTimeout), application_name: purpose });
  // Without a listener it would end the process.
  client.on('error', () => undefined);
  return client;
}
