import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';

/** Every thread of the process says how far its heap may grow. */
const TELLS = `
  import { isMainThread } from 'node:worker_threads';
  import { getHeapStatistics } from 'node:v8';
  if (!isMainThread) process._rawDebug('heap of a thread: ' + getHeapStatistics().heap_size_limit);`;
const MB = 1024 ** 2;

let edge: PixEdge;

beforeAll(async () => {
  edge = await PixEdge.start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELLS)}` });
});
afterAll(() => edge?.stop());

it('the thread that draws has the heap that it is given, not that of the flags that the service has', async () => {
  const { qrCodeLocation } = await edge.cashIn('10.00');
  expect((await edge.get(qrCodeLocation)).status).toBe(200);
  const heaps = await eventually(() => {
    const told = [...edge.service.output().matchAll(/heap of a thread: (\d+)/g)];
    return told.length > 0 && told.map(([, bytes]) => Number(bytes));
  });
  // The thread of migrations is there only for a database that needs some.
  expect(heaps).toHaveLength(1);
  // 64 MB of old objects and 8 of young ones, as V8 counts them.
  expect(heaps[0]).toBeLessThanOrEqual(80 * MB);
});
