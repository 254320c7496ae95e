import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PostgresServer } from '../fault/driver/postgres-server.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

/**
 * `npm run test:clients`: clients that others' generators make of the document are compiled, and each logs in, reads
 * accounts, transfers, charges and pays out at a running service. A generator that is not on `PATH` is left out.
 */

interface Generator {
  /** The command that says its version, if the generator is there. */
  readonly version: readonly string[];
  /** What to run in a copy of its folder under `test/clients`, one after another. */
  readonly steps: (document: (version: '3.1' | '3.0') => string) => readonly (readonly string[])[];
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  python: {
    version: ['openapi-python-client', '--version'],
    steps: (document) => [
      ['openapi-python-client', 'generate', '--path', document('3.1'), '--output-path', 'generated', '--overwrite'],
      ['python3', '-m', 'compileall', '-q', 'generated'],
      ['python3', 'flow.py'],
    ],
  },
  go: {
    version: ['oapi-codegen', '-version'],
    steps: (document) => [
      ['oapi-codegen', '-generate', 'models,client', '-package', 'main', '-o', 'payments.gen.go', document('3.0')],
      ['go', 'vet', '.'],
      ['go', 'run', '.'],
    ],
  },
};

const say = (line: string) => process.stdout.write(`${line}\n`);

async function play(name: string, { steps }: Generator, service: Service): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-clients-'));
  try {
    await cp(`test/clients/${name}`, folder, { recursive: true });
    const [, accessKey, secret] = await eventually(
      () => /access key +(\S+)\n +secret +(\S+)\n/.exec(service.output()) ?? undefined,
    );
    const env = { ...process.env, BASE_URL: service.url, ACCESS_KEY: accessKey, SECRET: secret };
    const document = (version: string) => resolve(version === '3.1' ? 'openapi.json' : 'openapi-3.0.json');
    for (const [command, ...rest] of steps(document)) {
      say(`${name}: ${[command, ...rest].join(' ')}`);
      const child = spawn(command!, rest, { cwd: folder, env, stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number];
      if (code !== 0) throw new Error(`${name}: ${command} ended with ${code}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const there = Object.entries(GENERATORS).filter(
  ([
    name,
    {
      version: [command, ...rest],
    },
  ]) => {
    const { status, stdout } = spawnSync(command!, rest, { encoding: 'utf8' });
    say(status === 0 ? `${name}: ${stdout.trim().split('\n').at(-1)}` : `${name}: left out, ${command} is not on PATH`);
    return status === 0;
  },
);
const postgres = await PostgresServer.start();
try {
  const service = await startService(postgres.url, { DEMO_PARTNER: 'true' });
  try {
    for (const [name, generator] of there) await play(name, generator, service);
  } finally {
    await service.stop();
  }
} finally {
  await postgres.stop();
}
if (there.length === 0) throw new Error('none of the generators is here; docs/integration.md says how to get them');
