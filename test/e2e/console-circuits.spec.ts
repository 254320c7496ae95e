import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { signIn, type SignedIn } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/** Twenty failures open a circuit; other deliveries wait behind it. */
const DEPOSITS = 40;
/** Between two probes there must be time to ask for a delivery, and to see that it did not wait for the second. */
const LONG_WAIT_MS = 3_000;

let edge: PixEdge;
let receiver: Receiver;
let operator: SignedIn;
let status = 500;

beforeAll(async () => {
  edge = await PixEdge.start({ LEDGER_PARTITIONS: '2', WEBHOOK_RETRY_SCHEDULE: '0s' });
  receiver = await startReceiver((response) => response.writeHead(status).end());
  for (let i = 0; i < DEPOSITS; i++) {
    const { body } = await edge.api.post('/accounts/pix/cashin', {
      payment: { value: { original: '5.00' } },
      transaction: { orderId: `o-${i}`, orderDescription: 'Pedido' },
      webhook: { url: `http://127.0.0.1:${receiver.port}/hook` },
    });
    await edge.api.post(`/accounts/pix/cashin/${body.data.transaction.id}/cancel`);
  }
  operator = await signIn(edge.service.url, ADMIN_TOKEN);
}, 60_000);
afterAll(async () => {
  await edge?.stop();
  await receiver?.close();
});

const list = (query = '') => operator.get(`/admin/webhooks/deliveries?limit=100&${query}`);
const asked = () => receiver.received.map(({ headers }) => headers['webhook-id']);

it('shows an open circuit with its next probe, which a redelivery becomes at once', async () => {
  const circuit = await eventually(async () => {
    const [host] = (await list()).hosts;
    const next = host?.circuit?.nextProbeAt;
    return next && Date.parse(next) > Date.now() + LONG_WAIT_MS ? host.circuit : undefined;
  });
  expect(Date.parse(circuit.since)).toBeLessThan(Date.now());
  const waiting = (await list('status=Pending')).items;
  expect(waiting.length).toBeGreaterThan(2);
  const held = { since: expect.any(String), nextProbeAt: expect.any(String) };
  expect(waiting[0]).toMatchObject({ circuit: held, amount: '5.00', orderId: expect.stringMatching(/^o-\d+$/) });

  const [delivery] = (await operator.get(`/admin/transactions/${waiting[0].transactionId}/deliveries`)).items;
  expect(delivery).toMatchObject({ id: waiting[0].id, circuit: held });

  const before = asked().length;
  const newest = waiting[0].id;
  const { status: answered } = await operator.request('POST', `/admin/webhooks/deliveries/${newest}/redeliver`);
  expect(answered).toBe(202);
  await eventually(async () => asked().length > before);
  expect(Date.now()).toBeLessThan(Date.parse(circuit.nextProbeAt));
  expect(asked()[before]).toBe(newest);
  const one = await eventually(async () => {
    const shown = await operator.get(`/admin/webhooks/deliveries/${newest}`);
    return shown.lastAttemptAt === null ? undefined : shown;
  });
  expect(one).toMatchObject({ id: newest, httpStatus: 500, status: 'Exhausted', attempts: 1 });
}, 60_000);

it('closes with a probe that is taken, and lists what was delivered', async () => {
  status = 200;
  const [{ id }] = (await list('status=Exhausted')).items;
  await operator.request('POST', `/admin/webhooks/deliveries/${id}/redeliver`);
  await eventually(async () => (await list('status=Delivered')).items.some((one: any) => one.id === id));
  await eventually(async () => (await list('status=Pending')).items.length === 0);
  expect((await list()).hosts).toMatchObject([{ circuit: null }]);
  expect((await list('status=Delivered')).items[0]).toMatchObject({
    status: 'Delivered',
    httpStatus: 200,
    circuit: null,
  });
  expect((await operator.request('GET', '/admin/webhooks/deliveries/none')).status).toBe(404);
}, 60_000);
