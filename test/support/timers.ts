import { randomBytes } from 'node:crypto';
import { saoPauloDay } from '../../src/platform/sao-paulo.js';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';

const DAY_MS = 24 * 60 * 60_000;

/** A day of São Paulo that is over. */
export const dayBefore = (days: number) => saoPauloDay(new Date(Date.now() - days * DAY_MS));

/** Makes a timer due, and waits until it was worked on; `due_at` is when it is due again, by the process's clock. */
export async function timerRuns(
  database: TestDatabase,
  kind: 'pix-sweep' | 'pix-reconcile' | 'med-sweep',
  payload?: object,
): Promise<void> {
  const isFree = `kind = $1 and lease is null`;
  const made = await eventually(async () => {
    const rows = await database.query<{ attempts: number }>(
      `update work set due_at = now() - interval '1 s', payload = coalesce($2::json, payload) where ${isFree} returning attempts`,
      [kind, payload && JSON.stringify(payload)],
    );
    return rows[0];
  });
  await eventually(async () => {
    const rows = await database.query(`select from work where ${isFree} and attempts > $2`, [kind, made.attempts]);
    return rows.length === 1;
  });
}

/** A payout at the sandbox's bank that the service did not make, at noon of a day. @returns its EndToEndId */
export async function unknownPayout(database: TestDatabase, day: string, centavos: number): Promise<string> {
  const at = new Date(`${day}T15:00:00Z`);
  const id = makeEndToEndId({ prefix: 'E', ispb: '60701190', at, partition: 0, random: randomBytes(8) });
  await database.query(
    `insert into sandbox.payment_out (end_to_end_id, amount, payee, status, at) values ($1, $2, '', 'Settled', $3)`,
    [id, centavos, at],
  );
  return id;
}
