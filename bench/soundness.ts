import { spawn } from 'node:child_process';
import pg from 'pg';

/** Asserts that balances sum to zero and positions have no gaps. @returns the number of events */
export async function assertConserved(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ sum: string; gaps: string; events: string }>(`
    select (select sum(available + held + blocked) from account) as sum,
      (select count(*) from log_head h where position <> (select count(*) from event e where e.partition = h.partition)) as gaps,
      (select count(*) from event) as events`);
  await client.end();
  const { sum, gaps, events } = rows[0]!;
  if (sum !== '0' || gaps !== '0') throw new Error(`not conserved: sum ${sum}, partitions with gaps ${gaps}`);
  return Number(events);
}

/** `ledger verify` as an auditor runs it. @throws when anything diverges */
export async function assertVerified(env: NodeJS.ProcessEnv): Promise<void> {
  const verify = spawn(process.execPath, ['dist/cli.js', 'verify'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => verify.once('exit', resolve));
  if (code !== 0) throw new Error('ledger verify found divergences');
}

/** Every setting of the server that differs from PostgreSQL's default. */
export async function changedSettings(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(`
    select name, setting from pg_settings
    where (source not in ('default', 'override', 'client') and setting is distinct from boot_val
      and name !~ '(file|directory|directories|path|locale|lc_|port|zone|TimeZone|text_search)')
      or name in ('synchronous_commit', 'fsync')
    order by name`);
  await client.end();
  return rows.map(({ name, setting }) => `${name}=${setting}`).join(' ');
}
