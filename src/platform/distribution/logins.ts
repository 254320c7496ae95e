import { Client } from 'pg';
import { serviceConnection, type SessionSettings } from '../database/connection-settings.js';
import { isConnectionFault } from '../database/faults.js';
import { atNode } from '../database/shard-locations.js';
import { DistributionRefused } from './refused.js';

/** How processes reach the nodes. */
export interface ServiceLogin {
  /** URL of the coordinator's database, as the service. */
  readonly url: string;
  /** Whether processes go to the nodes by themselves (`CITUS_DIRECT`). */
  readonly goesToNodes: boolean;
}

const SETTINGS: SessionSettings = { statementTimeout: 4_000, lockTimeout: 4_000, idleInTransaction: 10_000 };

/**
 * Processes log in at each node as they do at the coordinator. Citus tells nodes of roles that are made after it; one
 * that is older, or that a node's pg_hba.conf does not admit, would leave a moved partition without any process. A
 * node without an answer says nothing about that.
 * @param nodes addresses
 * @throws DistributionRefused
 */
export async function assertLogins(
  { url, goesToNodes }: ServiceLogin,
  nodes: Iterable<string>,
  what: string,
): Promise<void> {
  if (!goesToNodes) return;
  for (const node of nodes) {
    const colon = node.lastIndexOf(':');
    const client = new Client(
      serviceConnection(atNode(url, node.slice(0, colon), Number(node.slice(colon + 1))), 'log-in', SETTINGS),
    );
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (isConnectionFault(error)) continue;
      throw new DistributionRefused(
        `The service's login is not let in at ${node}: ${(error as Error).message}. ${what} Make the login of ` +
          `DATABASE_URL at that node too, with its password and as a member of payments_service, and admit it in ` +
          `pg_hba.conf there; then run the command again (docs/scale.md).`,
      );
    } finally {
      await client.end();
    }
  }
}
