import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { type CashIn, PixEdge } from '../support/pix-edge.js';
import { dayBefore, paymentUntold, timerRuns } from '../support/timers.js';

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

describe('a sweep and a clock', () => {
  let deposit: CashIn;
  beforeEach(async () => {
    await edge.behave({ notifications: 'drop' });
    deposit = await edge.cashIn('7.00');
  });
  const isCredited = async () => {
    await edge.pay(deposit.qrCode);
    await timerRuns(edge.database, 'pix-sweep');
    await expect(edge.transaction(deposit.id)).resolves.toMatchObject({ state: 'Completed' });
  };

  it('ahead does not hide from later sweeps what comes in afterwards', async () => {
    await jumpTo(JUMP_MS);
    await eventually(async () => !(await isReady()));
    await timerRuns(edge.database, 'pix-sweep');
    await jumpTo(0);
    await eventually(isReady);
    await isCredited();
  }, 60_000);

  it('that was ahead once, and left its mark in the future, is swept from before', async () => {
    await edge.database.query(`update pix_sweep set swept_until = now() + interval '1 h'`);
    await isCredited();
    const ahead = await edge.database.query('select from pix_sweep where swept_until > now()');
    expect(ahead).toEqual([]);
    await assertLedgerSound(edge.database);
  }, 60_000);
});

describe('reconciliation after days without a process', () => {
  const [yesterday, before, last] = [1, 2, 3].map(dayBefore);

  it('compares each day since the last one that was compared, and stores the last', async () => {
    await paymentUntold(edge.database, before!, 100);
    await timerRuns(edge.database, 'pix-reconcile', { day: last });
    await eventually(() => edge.service.output().includes(`"day":"${before}","mismatched":1`));
    const timer = await eventually(async () => {
      const [row] = await edge.database.query(
        `select payload from work where kind = 'pix-reconcile' and due_at > now()`,
      );
      return row;
    });
    expect(timer).toEqual({ payload: { day: yesterday, mismatched: 1 } });
    expect((await edge.get('/metrics')).body).toMatch(/^pix_reconciliation_mismatches 1$/m);
  }, 60_000);
});
