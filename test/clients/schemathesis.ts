import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PostgresServer } from '../fault/driver/postgres-server.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { ADMIN_TOKEN, startService } from '../support/service.js';

/**
 * `npm run test:schemathesis`: requests made from the document, valid and not, at a running service; every answer is
 * held against the document. `-- --max-examples 100` makes it long. Where Schemathesis is not on `PATH` a line says so.
 */

const COMMAND = 'schemathesis';
const LONG = process.argv.slice(2);

const say = (line: string) => process.stdout.write(`${line}\n`);

async function judge(folder: string, base: string, token: string, paths: string, excluded = ''): Promise<void> {
  const options = [
    ...['run', resolve('openapi.json'), '--url', base, '--header', `Authorization: Bearer ${token}`],
    ...['--include-path-regex', paths],
    // Which bodies are taken, other tests say: check digits, members that need each other, and `null` for an absent
    // member are beyond the document. Whatever is answered must be as it says.
    ...[
      '--exclude-checks',
      `positive_data_acceptance,negative_data_rejection${excluded}`,
      '--phases',
      'examples,coverage,fuzzing',
    ],
    // One thread: a CPython with gh-106905 counts the depth of a parse for all threads together, and of two of them one
    // fails now and then with "AST constructor recursion depth mismatch". Two were not quicker.
    ...['--generation-deterministic', '--max-examples', '2', '--workers', '1', '--no-color', ...LONG],
  ];
  const env = { ...process.env, SCHEMATHESIS_HOOKS: 'schemathesis_hooks', PYTHONPATH: resolve('test/clients') };
  const child = spawn(COMMAND, options, { cwd: folder, stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${paths}: an answer is not as the document says`);
}

const { status, stdout } = spawnSync(COMMAND, ['--version'], { encoding: 'utf8' });
if (status !== 0) {
  say(
    `Schemathesis is not on PATH: the document was not tried with it (pip install -r test/clients/schemathesis.txt).`,
  );
} else {
  say(stdout.trim());
  // It remembers what it found where it runs.
  const folder = await mkdtemp(join(tmpdir(), 'payments-schemathesis-'));
  const postgres = await PostgresServer.start();
  // Addresses of webhooks are made up: without a sender nobody is called.
  const service = await startService(postgres.url, {
    ROLE: 'api',
    RATE_LIMIT_PER_SECOND: '0',
    LOGIN_RATE_LIMIT_PER_SECOND: '0',
  });
  try {
    const { credentials } = await new OperatorApi(service.url).partner(['100.00', '50.00']);
    const { token } = await PartnerApi.login(service.url, credentials);
    await judge(folder, service.url, token, '^/(partners-int|pix)/');
    // Operators' tokens that are wrong are counted by address: so many in a row are answered 429, and not 401.
    await judge(folder, service.url, ADMIN_TOKEN, '^/(admin|sandbox)/', ',ignored_auth');
  } finally {
    await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
