/**
 * A process that owns an embedded PostgreSQL, for tests that kill it. Arguments: the data folder, and settings as JSON.
 * Says what happens as JSON lines: `{url}` or `{error, message}`, and `{stopped}` after its input has ended.
 */
import { once } from 'node:events';
import { startEmbeddedPostgres } from '../src/index.ts';
import { DATABASE } from './database.ts';

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const [dataDir = '', settings = '{}'] = process.argv.slice(2);
  const server = await startEmbeddedPostgres({
    dataDir,
    database: DATABASE,
    settings: JSON.parse(settings) as Record<string, string>,
    log: (message) => process.stderr.write(`${message}\n`),
  });
  say({ url: server.url });
  await once(process.stdin.resume(), 'end');
  await server.stop();
  say({ stopped: true });
} catch (error) {
  say({ error: (error as Error).name, message: (error as Error).message });
  process.exitCode = 1;
}
