import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import { OperatorApi, PartnerApi } from '../../support/api.js';
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

/** A client beside an attack. */
export async function clientOf({ url }: Service) {
  const partner = await new OperatorApi(url).partner(['100000.00', '0.00']);
  const api = await PartnerApi.login(url, partner.credentials);
  /** One after the other. @returns how long each took, and how many were not done */
  const transfers = async (seconds: number): Promise<string> => {
    const times: number[] = [];
    let refused = 0;
    for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
      const began = performance.now();
      const answer = await api.transfer(partner.accounts[1]!, '1.00').catch(() => undefined);
      if (answer?.status !== 201) refused += 1;
      times.push(performance.now() - began);
    }
    const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
    return `p99 ${p99.toFixed(0)} ms, ${refused} of ${times.length} refused`;
  };
  return { token: api.token, transfers };
}
