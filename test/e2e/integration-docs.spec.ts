import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Block, blocksOf } from '../support/document.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { deadPort } from '../support/webhook-receiver.js';

/**
 * docs/integration.md, followed word for word: its blocks run one after another in one shell, and what they print is
 * what the page says, but for identifiers, times and tokens.
 */

const PAGE = 'docs/integration.md';

/** What differs from run to run. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w.…-]+/g, '<token>'],
  [/000201[^"]+/g, '<code>'],
  [/E\d{8}20\d{10}\w{11}/g, '<end-to-end id>'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '<address>'],
];

/** The receiver's lines: they come when they come, after an answer of curl on the same line too. */
const WEBHOOK_LINES = /webhook: .*/g;
/** With the break before them: between two lines of another none stays. */
const WEBHOOK_LINES_WHOLE = /\n?webhook: .*/g;

let database: TestDatabase;
let service: Service;
let folder: string;
let shell: ChildProcess;
let blocks: Block[];
let output = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payments-integration-'));
  database = await createDatabase();
  // As it is where the reader starts it: the address stands in the deposit's code.
  service = await startService(database.url, { DEMO_PARTNER: 'true', PUBLIC_URL: 'http://127.0.0.1:3000' });
  blocks = await blocksOf(PAGE);
  const [, accessKey, secret, webhookSecret] = await eventually(
    () => /access key +(\S+)\n +secret +(\S+)\n +webhook secret +(\S+)/.exec(service.output()) ?? undefined,
  );
  const filledIn = [
    `export BASE_URL=${service.url} HOOK_PORT=${await deadPort()}`,
    `export ACCESS_KEY=${accessKey} SECRET=${secret} WEBHOOK_SECRET=${webhookSecret}`,
  ].join('\n');
  const script = blocks.map((block, i) => commandOf(block, filledIn) && `${commandOf(block, filledIn)}\n${mark(i)}`);
  shell = spawn('bash', ['-euo', 'pipefail', '-c', script.filter(Boolean).join('\n')], {
    env: { ...process.env, TMPDIR: folder, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  shell.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(shell, 'exit');
}, 60_000);

afterAll(async () => {
  // The receiver is in the shell's process group.
  if (shell?.pid) process.kill(-shell.pid, 'SIGKILL');
  await service?.stop();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

function mark(i: number): string {
  return `printf '\\n@@%s\\n' ${i}`;
}

/** What a reader does with a block; nothing with an answer, nor with the start of the service, which runs already. */
function commandOf({ language, info, text }: Block, filledIn: string): string | undefined {
  if (language === 'js') return `cat > ${info} <<'END'\n${text}END`;
  if (language !== 'bash' || text === 'npm ci && npm start\n') return undefined;
  return text.includes('ACCESS_KEY=…') ? filledIn : text;
}

/** What a step printed, without the lines of the receiver. */
function printed(i: number): string {
  const before = output.split(`\n@@${i}\n`)[0]!;
  return before
    .slice(before.lastIndexOf('\n@@') + 1)
    .replace(/^@@\d+\n/, '')
    .replace(WEBHOOK_LINES_WHOLE, '')
    .trim();
}

function settled(text: string): string {
  return VOLATILE.reduce((all, [expression, name]) => all.replace(expression, name), text);
}

describe(PAGE, () => {
  it('leads through to its end', () => {
    expect([shell.exitCode, output]).toEqual([0, expect.stringContaining(`@@${blocks.findLastIndex(isStep)}\n`)]);
  });

  it('shows the answers that come', () => {
    let steps = 0;
    blocks.forEach((block, i) => {
      if (block.language === 'json') {
        const step = printed(i - 1);
        expect(settled(JSON.stringify(JSON.parse(step)))).toBe(settled(JSON.stringify(JSON.parse(block.text))));
        steps += 1;
      } else if (block.language === 'text' && isStep(blocks[i - 1]!)) {
        const told = block.text.replace(WEBHOOK_LINES, '').trim();
        expect(settled(printed(i - 1))).toBe(settled(told));
        steps += 1;
      }
    });
    expect(steps).toBeGreaterThan(6);
  });

  it('ends with every webhook verified', async () => {
    const shown = blocks.flatMap(({ language, text }) =>
      language === 'text' ? (text.match(WEBHOOK_LINES) ?? []) : [],
    );
    const received = await eventually(() => {
      const lines = output.match(WEBHOOK_LINES) ?? [];
      return lines.length >= shown.length && lines;
    });
    expect(received.sort()).toEqual(shown.sort());
    expect(shown.length).toBeGreaterThan(3);
  });
});

describe('the samples in other languages', () => {
  const TOOLS = { python: { tool: 'python3', args: [] }, go: { tool: 'go', args: ['run'] } } as const;

  /** It compiles its library where it has not yet: without optimisation, that is three quarters of the time. */
  const QUICK_GO = { GOFLAGS: "'-gcflags=all=-N -l'", CGO_ENABLED: '0' };

  it.each(['python', 'go'] as const)(
    'are programs that move money once: %s',
    async (language) => {
      const { tool, args } = TOOLS[language];
      // Who has not the tool reads the sample all the same.
      if (spawnSync(tool, [language === 'go' ? 'version' : '--version']).status !== 0) return;
      const at = blocks.findIndex((block) => block.language === language);
      const [program, command, shown] = blocks.slice(at);
      expect(command!.text.trim()).toBe([tool, ...args, program!.info].join(' '));
      await writeFile(join(folder, program!.info), program!.text);
      const { credentials } = await new OperatorApi(service.url).partner(['100.00', '0.00']);
      const env = {
        ...process.env,
        ...QUICK_GO,
        BASE_URL: service.url,
        ACCESS_KEY: credentials.accessKey,
        SECRET: credentials.secret,
      };
      const child = spawn(tool, [...args, program!.info], { cwd: folder, env });
      const [out, err] = [collect(child.stdout), collect(child.stderr)];
      const [status] = (await once(child, 'close')) as [number | null];
      expect({ status, stdout: out(), stderr: err() }).toEqual({ status: 0, stdout: shown!.text, stderr: '' });
    },
    180_000,
  );
});

describe('the README of the client', () => {
  const README = 'clients/typescript/README.md';

  let programs: string;

  beforeAll(async () => {
    // Beside the packages that they import, but not below node_modules, where Node strips no types.
    programs = await mkdtemp(resolve('dist/docs-'));
  });

  afterAll(() => rm(programs, { recursive: true, force: true }));

  /** Its blocks are one program each. */
  async function program(i: number, more = ''): Promise<object> {
    const [example] = (await blocksOf(README)).filter(({ language }) => language === 'ts').slice(i);
    const file = join(programs, `readme-${i}.ts`);
    await writeFile(file, example!.text + more);
    const { accounts, credentials, webhookSecret } = await new OperatorApi(service.url).partner(['100.00', '0.00']);
    expect(accounts).toHaveLength(2);
    const env = { BASE_URL: service.url, ACCESS_KEY: credentials.accessKey, SECRET: credentials.secret };
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, ...env, WEBHOOK_SECRET: webhookSecret, WEBHOOK_SECRET_BEFORE: '' },
    });
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stdout: out(), stderr: err() };
  }

  it('shows a program that runs', async () => {
    const stdout = [
      'Conta 1 100.00',
      'Conta 2 0.00',
      '89.50 would be left',
      'done now 23',
      '422 CustomerAccountInsufficientFunds',
      '-1050n',
      '',
    ].join('\n');
    expect(await program(0)).toEqual({ status: 0, stdout, stderr: '' });
  });

  it('shows a receiver that takes what is signed, and refuses what is not', async () => {
    const check = `
      import { Webhook } from '${import.meta.resolve('standardwebhooks')}';
      const now = new Date();
      const body = JSON.stringify({ id: 't', transactionState: 'Completed' });
      const signature = new Webhook(process.env.WEBHOOK_SECRET).sign('m', now, body);
      const headers = { 'webhook-id': 'm', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) };
      const bytes = new TextEncoder().encode(body);
      console.log(await take(bytes, { ...headers, 'webhook-signature': signature }), await take(bytes, headers));`;
    expect(await program(1, check)).toEqual({ status: 0, stdout: '1 t Completed\n204 401\n', stderr: '' });
  });

  it('shows a file of payouts, followed to its end', async () => {
    expect(await program(2)).toEqual({ status: 0, stdout: 'Completed 100\n3 salary-2 OperationError\n', stderr: '' });
  });
});

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

function isStep({ language }: Block): boolean {
  return language === 'bash';
}
