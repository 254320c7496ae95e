import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import { createDatabase } from '../../support/database.js';
import { type Service, startService } from '../../support/service.js';

/** Says the figures of an attack: a row of a table. */
export type Row = (...cells: readonly (number | string)[]) => void;

/** Attacks built processes of a service of its own, on a PostgreSQL of its own, all of which go with it. */
export async function attackOn(
  processes: number,
  env: Record<string, string>,
  attack: (services: readonly [Service, ...Service[]], row: Row) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-attack-'));
  const server = await startEmbeddedPostgres({ dataDir, database: 'payments' });
  const database = await createDatabase({ server: server.url });
  const services: Service[] = [];
  try {
    for (let i = 0; i < processes; i++) services.push(await startService(database.url, env));
    await attack(services as [Service, ...Service[]], (...cells) => console.log(`| ${cells.join(' | ')} |`));
  } finally {
    for (const service of services) await service.stop();
    await database.drop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
