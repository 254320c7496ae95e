import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { type CashIn, PixEdge } from '../support/pix-edge.js';

/** Much more than what two sweeps overlap by, less than a token's life. */
const JUMP_MS = 50 * 60_000;

let folder: string;
let edge: PixEdge;

const jumpTo = (offset: number) => writeFile(join(folder, 'offset'), String(offset));
const isReady = async () => (await edge.get('/health/ready')).status === 200;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payments-pix-clock-'));
  await jumpTo(0);
  edge = await PixEdge.start({
    NODE_OPTIONS: `--import=${new URL('../support/clock-offset.mjs', import.meta.url).href}`,
    CLOCK_OFFSET_FILE: join(folder, 'offset'),
  });
}, 60_000);

afterAll(async () => {
  await edge?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Makes the sweep due, and waits until it was worked on. */
async function sweepRuns(): Promise<void> {
  const isFree = `kind = 'pix-sweep' and lease is null`;
  const made = await eventually(async () => {
    const rows = await edge.database.query<{ attempts: number }>(
      `update work set due_at = now() - interval '1 s' where ${isFree} returning attempts`,
    );
    return rows[0];
  });
  await eventually(async () => {
    const rows = await edge.database.query(`select from work where ${isFree} and attempts > $1`, [made.attempts]);
    return rows.length === 1;
  });
}

describe('a sweep and a clock', () => {
  let deposit: CashIn;
  beforeEach(async () => {
    await edge.behave({ notifications: 'drop' });
    deposit = await edge.cashIn('7.00');
  });
  const isCredited = async () => {
    await edge.pay(deposit.qrCode);
    await sweepRuns();
    await expect(edge.transaction(deposit.id)).resolves.toMatchObject({ state: 'Completed' });
  };

  it('ahead does not hide from later sweeps what comes in afterwards', async () => {
    await jumpTo(JUMP_MS);
    await eventually(async () => !(await isReady()));
    await sweepRuns();
    await jumpTo(0);
    await eventually(isReady);
    await isCredited();
  }, 60_000);

  it('that was ahead once, and left its mark in the future, is looked behind', async () => {
    await edge.database.query(`update pix_sweep set swept_until = now() + interval '1 h'`);
    await isCredited();
    const ahead = await edge.database.query('select from pix_sweep where swept_until > now()');
    expect(ahead).toEqual([]);
    await assertLedgerSound(edge.database);
  }, 60_000);
});
