import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';

/** One real PostgreSQL for the whole run, in a folder of its own; each test file makes databases in it. */
export default async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-test-'));
  await chmod(dataDir, 0o755); // so that, as root, the cluster stays inside it
  const server = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '300' } });
  process.env.TEST_POSTGRES_URL = server.url;
  globalThis.stopTestPostgres = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
