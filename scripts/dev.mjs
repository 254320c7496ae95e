import { spawn } from 'node:child_process';
import { once } from 'node:events';
import ts from 'typescript';

/**
 * `npm run dev`: compiles on every change and restarts the service when that went well; while there are errors the last
 * good one goes on. The embedded PostgreSQL belongs to this process, so it stays as it is while the service comes and goes.
 * Settings are those of `npm start`.
 */
const PATIENCE_MS = 8_000;

let postgres;
let service;
let restarting = Promise.resolve();
let stopping = false;

const host = ts.createWatchCompilerHost(
  'tsconfig.build.json',
  {},
  ts.sys,
  ts.createEmitAndSemanticDiagnosticsBuilderProgram,
  (diagnostic) => process.stderr.write(ts.formatDiagnosticsWithColorAndContext([diagnostic], formatting)),
  (status, _newLine, _options, errors) => {
    if (errors === undefined) return say(ts.flattenDiagnosticMessageText(status.messageText, '\n'));
    if (errors > 0) return say(`${errors} errors: ${service ? 'the service goes on as it was' : 'nothing is started'}`);
    restarting = restarting.then(restart).catch(give);
  },
);
const formatting = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getNewLine: () => '\n',
};
const watch = ts.createWatchProgram(host);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void stop());

async function restart() {
  if (stopping) return;
  await end(service);
  service = start(await databaseUrl());
}

async function databaseUrl() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  if (!postgres) {
    const { startEmbeddedPostgres } = await import('../dist/src/platform/embedded-postgres/index.js');
    postgres = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR ?? '.data', log: say });
  }
  return postgres.url;
}

function start(url) {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/src/main.js'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: 'inherit',
    // Ctrl-C comes here, and is passed on in order.
    detached: true,
  });
  child.once('exit', (code) => {
    if (child === service && !stopping) say(`the service ended with ${code}; the next change starts it again`);
  });
  return child;
}

/** As an operator would, so that requests under way are answered; by force if that takes too long. */
async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref();
  if (child === service) service = undefined;
  child.kill('SIGTERM');
  await ended;
}

async function stop() {
  stopping = true;
  watch.close();
  await restarting;
  await end(service);
  await postgres?.stop();
}

function give(error) {
  say(String(error?.message ?? error));
  process.exitCode = 1;
  void stop();
}

function say(line) {
  process.stdout.write(`[dev] ${line}\n`);
}
