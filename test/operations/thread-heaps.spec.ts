import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { PixEdge } from '../support/pix-edge.js';

/** Every thread of a process says how far its heap may grow. */
const TELLS = `
  import { isMainThread } from 'node:worker_threads';
  import { getHeapStatistics } from 'node:v8';
  if (!isMainThread) process._rawDebug('heap of a thread: ' + getHeapStatistics().heap_size_limit);`;
const TELLING = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELLS)}` };
const MB = 1024 ** 2;

const heapsOf = (output: string) =>
  [...output.matchAll(/heap of a thread: (\d+)/g)].map(([, bytes]) => Number(bytes) / MB);

/** The flags that the npm script gives the command. */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<'ledger', string> };
const FLAGS = scripts.ledger.split(' ').filter((word) => word.startsWith('--max-'));

let edge: PixEdge;

beforeAll(async () => {
  edge = await PixEdge.start(TELLING);
});
afterAll(() => edge?.stop());

it('the thread that draws has the heap that it is given, not that of the flags that the service has', async () => {
  const { qrCodeLocation } = await edge.cashIn('10.00');
  expect((await edge.get(qrCodeLocation)).status).toBe(200);
  await eventually(() => heapsOf(edge.service.output()).length > 0);
  // The only one: of migrations there is a thread only where some are left. 64 MB of old objects, 8 of young ones.
  expect(heapsOf(edge.service.output())).toEqual([expect.closeTo(72, -1)]);
});

it('so has the thread of verify that reads the log', async () => {
  const { code, stderr } = await runLedger(['verify'], { DATABASE_URL: edge.database.url, ...TELLING }, FLAGS);
  expect({ code, flags: FLAGS.length }).toEqual({ code: 0, flags: 2 });
  expect(heapsOf(stderr)).toEqual([expect.closeTo(38, -1)]);
});
