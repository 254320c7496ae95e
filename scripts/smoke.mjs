import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts the built service on an empty folder and a free port, runs a login and a transfer, and stops it. */
const folder = await mkdtemp(join(tmpdir(), 'payments-smoke-'));
const service = spawn(process.execPath, ['dist/main.js'], {
  env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(service, 'exit');
let output = '';
// Interrupted, what waits for the service fails, and the folder goes all the same.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill('SIGTERM'));
service.stdout.on('data', (chunk) => (output += chunk));

try {
  const [, base] = await printed(/Listening on (\S+?)\. /);
  const [, accessKey, secret] = await printed(/access key +(\S+)\n +secret +(\S+)/);
  const { token } = await request(base, 'POST', '/partners-int/login', { accessKey, secret });
  const before = await balances(base, token);
  const [first, second] = [...before.keys()];
  const transfer = { refAccountCredit: second, transferAmount: '10.50' };
  await request(base, 'POST', '/partners-int/accounts/transfer', transfer, token);
  const after = await balances(base, token);
  const moved = [before.get(first) - after.get(first), after.get(second) - before.get(second)];
  if (moved.some((centavos) => centavos !== 1050)) throw new Error(`the balances moved by ${moved} centavos`);
  console.log('smoke test: login, accounts, transfer and both balances are right');
} finally {
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}
if (service.exitCode !== 0) throw new Error(`the service ended with ${service.exitCode ?? service.signalCode}`);

async function printed(pattern) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && service.exitCode === null && service.signalCode === null) {
    const match = pattern.exec(output);
    if (match) return match;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error(`the service did not print ${pattern}:\n${output}`);
}

async function request(base, method, path, body, token) {
  const response = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

async function balances(base, token) {
  const { items } = await request(base, 'GET', '/partners-int/accounts', undefined, token);
  return new Map(items.map(({ uid, balance }) => [uid, Math.round(Number(balance.available) * 100)]));
}
