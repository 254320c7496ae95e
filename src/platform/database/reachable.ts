import { Client, DatabaseError } from 'pg';
import { classifyFault } from './faults.js';
import { DatabaseUnavailable } from './server-pools.js';

const PATIENCE_MS = 10_000;

/** No session can be had at the address of a setting; the message names the setting and says why. */
export class DatabaseUnreachable extends Error {}

/**
 * A start or a command that cannot reach its database says so in one line, whichever of its parts would ask first.
 * @throws DatabaseUnreachable
 */
export async function assertReachable(setting: string, url: string): Promise<void> {
  try {
    await onOneSession(url, async () => undefined);
  } catch (error) {
    // A name with several addresses fails with one error for each, and no message of its own.
    const { message, code } = error as Error & { code?: string };
    throw new DatabaseUnreachable(`${setting}: the database cannot be reached: ${message || code}`, { cause: error });
  }
}

/** Does something on a session that is there for it alone. */
export async function onOneSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * What a start or a command says in one line of a database that was reached and failed then: it went away, takes no
 * more connections, has no room. `undefined` for any other fault.
 */
export function aboutLostDatabase(error: unknown): string | undefined {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  const isLost =
    cause instanceof DatabaseError ? classifyFault(cause) === 'transient' : cause !== error || hasEnded(cause);
  if (!isLost) return undefined;
  return `The database was reached, and failed then: ${(cause as Error).message}. Try again once it works.`;
}

/**
 * The driver's words for a connection that ended without one of the server. Such an error has no code and no type, and
 * may come from a thread or from TypeORM, where that of the server has lost its class too.
 */
const ENDED = /^(Connection terminated|Client has encountered a connection error)/;

function hasEnded(error: unknown): boolean {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return ENDED.test(String(message)) || /^(08|57P)/.test(String(code));
}
