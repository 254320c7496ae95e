import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The restore of docs/operations.md, from the first base backup to the rail's sweep, with the programs of a system
 * PostgreSQL (15 or later), on a server of its own in a temporary folder. Prints every command and its output.
 *   PG_BIN=/usr/lib/postgresql/15/bin node scripts/restore-drill.mjs      (after `npm run build`)
 * As root, PostgreSQL runs as the user `postgres`.
 */
const bin = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
/** Below the ephemeral ports. */
const [livePort, restoredPort] = [25432, 25433];
const area = await mkdtemp(join(tmpdir(), 'restore-drill-'));
await chmod(area, 0o777);
const urlOf = (port) => `postgres://postgres@127.0.0.1:${port}/payments`;
const settings = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  DATA_DIR: join(area, 'service'),
  CHECKPOINT_DIR: join(area, 'checkpoints'),
  CHECKPOINT_INTERVAL_SECONDS: '1',
  LOG_LEVEL: 'error',
};
const show = (text) => console.log(text.replaceAll(area, '/backup').replaceAll(`${bin}/`, ''));
let service;
/** Interrupted, the drill ends at its next wait, and leaves neither server nor folder. */
let interrupted;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = signal));
process.stdout.on('error', () => (interrupted = 'its reader'));

try {
  heading('A server that archives its log');
  shell(`mkdir ${area}/archive`);
  shell(`${bin}/initdb -D ${area}/live -U postgres --auth=trust --data-checksums --encoding=UTF8`, { quiet: true });
  const archive = `test ! -f ${area}/archive/%f && cp %p ${area}/archive/%f`;
  shell(
    `printf "%s\\n" "wal_level = replica" "archive_mode = on" "archive_timeout = 60" "archive_command = '${archive}'" >> ${area}/live/postgresql.conf`,
  );
  start('live', livePort);
  shell(`${bin}/createdb -h 127.0.0.1 -p ${livePort} -U postgres payments`);
  ledger(livePort, 'migrate');

  heading('Service, base backup, traffic');
  service = await serve(livePort, settings);
  const [, accessKey, secret] = await printed(/access key +(\S+)\n +secret +(\S+)/);
  shell(`${bin}/pg_basebackup -h 127.0.0.1 -p ${livePort} -U postgres -D ${area}/base -c fast`);
  shell(`${bin}/pg_verifybackup ${area}/base`);
  const token = (await request('POST', '/partners-int/login', { accessKey, secret })).token;
  const accounts = await accountsOf(token);
  await transfer(token, accounts[1].uid, '10.00');
  const deposit = await request('POST', '/partners-int/accounts/pix/cashin', cashIn(), token);
  console.log(`a transfer of 10.00, a deposit of 50.00 asked for: available ${await available(token)}`);

  heading('The moment');
  const moment = shell(`${bin}/psql -h 127.0.0.1 -p ${livePort} -U postgres -Atc "select clock_timestamp()" payments`);
  await new Promise((resume) => setTimeout(resume, 100));

  heading('More traffic, which the restored ledger will not know');
  await transfer(token, accounts[1].uid, '7.00');
  await request('POST', '/sandbox/pix/payments', { qrCode: deposit.payment.qrCode, payer: payer() });
  const payout = await request('POST', '/partners-int/accounts/pix/cashout', cashOut(), token);
  await until(async () => (await stateOf(token, payout.transaction.id)) === 'Completed');
  console.log(`a transfer of 7.00, the deposit paid, a payout of 20.00: available ${await available(token)}`);
  await until(async () => (await metric('ledger_checkpoint_unsealed_seconds')) === 0);
  console.log('every event is under a signed checkpoint');
  await stop();

  heading('The sandbox is the bank, and a bank forgets nothing: its books are kept for the restored database');
  shell(
    `${bin}/pg_dump -h 127.0.0.1 -p ${livePort} -U postgres --data-only --schema=sandbox -f ${area}/bank.sql payments`,
  );
  shell(`${bin}/psql -h 127.0.0.1 -p ${livePort} -U postgres -Atc "select pg_switch_wal()" payments`);
  shell(`${bin}/pg_ctl -D ${area}/live -m fast -w stop`, { quiet: true });

  heading('Restore to the moment');
  shell(`cp -a ${area}/base ${area}/restored`);
  shell(
    `printf "%s\\n" "restore_command = 'cp ${area}/archive/%f %p'" "recovery_target_time = '${moment}'" "recovery_target_action = promote" "archive_mode = off" >> ${area}/restored/postgresql.auto.conf`,
  );
  shell(`touch ${area}/restored/recovery.signal`);
  start('restored', restoredPort);
  const psql = `${bin}/psql -h 127.0.0.1 -p ${restoredPort} -U postgres -q`;
  await until(() => shell(`${psql} -Atc "select pg_is_in_recovery()" payments`, { silent: true }) === 'f');
  shell(`grep -E "recovery stopping|last completed|archive recovery complete" ${area}/restored.log`);

  heading('Is it sound? Against the checkpoints that were signed until the end, and against its own');
  ledger(restoredPort, 'verify', 1);
  ledger(restoredPort, 'verify', 0, { CHECKPOINT_DIR: join(area, 'checkpoints-2') });

  heading('The service on it: the sweep brings back what the rail knows');
  shell(
    `${psql} -c "truncate sandbox.charge, sandbox.payment_in, sandbox.payment_out, sandbox.refund_out, sandbox.refund_in, sandbox.infraction, sandbox.recovery, sandbox.task, sandbox.behaviour" payments`,
  );
  shell(`${psql} -f ${area}/bank.sql payments`, { quiet: true });
  service = await serve(restoredPort, { ...settings, CHECKPOINT_DIR: join(area, 'checkpoints-2') });
  await until(async () => (await stateOf(token, deposit.transaction.id)) === 'Completed');
  console.log(`the deposit is ${await stateOf(token, deposit.transaction.id)}: available ${await available(token)}`);
  const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
  const { ADMIN_TOKEN } = JSON.parse(await readFile(join(settings.DATA_DIR, 'development-secrets.json'), 'utf8'));
  const report = await until(async () => {
    // The list of movements lags behind the log: the deposit appears a moment later.
    const one = await request('GET', `/admin/reconciliation?date=${today}`, undefined, ADMIN_TOKEN);
    return one.mismatched < 2 && one;
  });
  console.log(
    `GET /admin/reconciliation?date=${today}\n${JSON.stringify({ matches: report.matches, mismatches: report.mismatches })}`,
  );
  await stop();
  ledger(restoredPort, 'verify', 0, { CHECKPOINT_DIR: join(area, 'checkpoints-2') });
  console.log('\nThe drill is over: restored, verified, swept.');
} finally {
  await stop();
  for (const name of ['live', 'restored']) {
    shell(`test ! -f ${area}/${name}/postmaster.pid || ${bin}/pg_ctl -D ${area}/${name} -m immediate -w stop`, {
      silent: true,
    });
  }
  await rm(area, { recursive: true, force: true });
}

function heading(text) {
  console.log(`\n## ${text}\n`);
}

/** Runs a line as the database's user; whatever fails ends the drill. */
function shell(line, { quiet = false, silent = false } = {}) {
  if (!silent) show(`$ ${line}`);
  const asUser = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const [program, ...args] = [...asUser, 'sh', '-c', line];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: area });
  if (status !== 0) throw new Error(`${line}\n${stdout}${stderr}`);
  const output = stdout.trim();
  if (!quiet && !silent && output !== '') show(output);
  return output;
}

function start(name, port) {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  shell(
    `${bin}/pg_ctl -D ${area}/${name} -o "${options}" -l ${area}/${name}.log -w start || { cat ${area}/${name}.log; exit 1; }`,
    { quiet: true },
  );
}

function ledger(port, command, expected = 0, env = {}) {
  const given = { DATABASE_URL: urlOf(port), ...env };
  show(
    `$ ${Object.entries(given)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')} npm run --silent ledger -- ${command}`,
  );
  const all = { ...settings, ...given };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', command], {
    encoding: 'utf8',
    env: all,
  });
  show(`${stdout}${stderr}`.trim());
  if (status !== expected) throw new Error(`ledger ${command} ended with ${status}, not with ${expected}`);
  console.log(`(exit code ${status})`);
}

async function serve(port, env) {
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: { ...env, DATABASE_URL: urlOf(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = { child, output: '', base: '' };
  child.stdout.on('data', (chunk) => (started.output += chunk));
  service = started;
  [, started.base] = await printed(/Listening on (\S+?)\. /);
  return started;
}

async function stop() {
  if (!service || service.child.exitCode !== null || service.child.signalCode !== null) return;
  const ended = once(service.child, 'exit');
  service.child.kill('SIGTERM');
  await ended;
}

function printed(pattern) {
  return until(() => pattern.exec(service.output));
}

async function until(probe) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (interrupted) throw new Error(`interrupted by ${interrupted}`);
    const found = await probe();
    if (found) return found;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error(`timed out: ${probe}`);
}

async function request(method, path, body, bearer) {
  const response = await fetch(service.base + path, {
    method,
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

async function metric(name) {
  const text = await (await fetch(`${service.base}/metrics`)).text();
  return Math.max(...[...text.matchAll(new RegExp(`^${name}\\S* (\\S+)$`, 'gm'))].map(([, value]) => Number(value)));
}

async function accountsOf(bearer) {
  return (await request('GET', '/partners-int/accounts', undefined, bearer)).items;
}

async function available(bearer) {
  return (await accountsOf(bearer))[0].balance.available;
}

async function stateOf(bearer, id) {
  return (await request('GET', `/partners-int/accounts/transactions/${id}`, undefined, bearer)).transaction.state;
}

function transfer(bearer, to, amount) {
  const body = { refAccountCredit: to, transferAmount: amount };
  return request('POST', '/partners-int/accounts/transfer', body, bearer);
}

function cashIn() {
  return { payment: { value: { original: '50.00' } }, transaction: { orderId: 'drill-1' }, webhook: webhook() };
}

function cashOut() {
  const key = { type: 'EMAIL', value: 'ana@example.com' };
  const payment = { value: '20.00', key, recipient: { name: 'Ana Lima', cpf: '52998224725' } };
  return { payment, transaction: { orderId: 'drill-2' }, webhook: webhook() };
}

function webhook() {
  return { url: 'http://127.0.0.1:65535/nobody' };
}

function payer() {
  return { name: 'Ana Lima', taxNumber: '52998224725', ispb: '00000000', branch: '0001', number: '12345', digit: '6' };
}
