import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.js';
import { createDatabase } from '../../support/database.js';
import { type Service, startService } from '../../support/service.js';

/** Says one figure of an attack. */
export type Row = (what: string, figure: number | string) => void;

/** Attacks a built service of its own, on a PostgreSQL of its own, both of which go with it. */
export async function attackOn(
  env: Record<string, string>,
  attack: (service: Service, row: Row) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-attack-'));
  const server = await startEmbeddedPostgres({ dataDir });
  const database = await createDatabase({ server: server.url });
  try {
    const service = await startService(database.url, env);
    try {
      await attack(service, (what, figure) => console.log(`| ${what} | ${figure} |`));
    } finally {
      await service.stop();
    }
  } finally {
    await database.drop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
