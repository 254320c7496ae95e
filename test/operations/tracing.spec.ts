import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.js';
import { PartnerReceiver, type Receipt } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';

/** Prints on stderr which file of a process has the SDK, when it is loaded. */
const TELL_LOADS = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  const loaded = next(url, context);
  if (/BatchSpanProcessor/.test(Buffer.from(loaded.source ?? []))) process.stderr.write('LOADED ' + url + '\\n');
  return loaded;
} });`.replace(/\n/g, ' ');
const TELLING = { NODE_OPTIONS: `--import "${TELL_LOADS.replace(/"/g, "'").replace(/\\/g, '\\\\')}"` };

let database: TestDatabase;
let otlp: OtlpReceiver;
let receiver: PartnerReceiver;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  otlp = await startOtlpReceiver();
  const first = await startService(database.url);
  partner = await new OperatorApi(first.url).partner(['1000.00', '0.00']);
  await first.stop();
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await otlp?.close();
  await database?.drop();
});

async function cashOut(url: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  const session = await PartnerApi.login(url, partner.credentials);
  const body = {
    payment: { value: '10.00', key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: '52998224725' } },
    transaction: { orderId: `order${path}` },
    webhook: { url: receiver.url(path) },
  };
  const answer = await session.post('/accounts/pix/cashout', body, headers);
  expect(answer.status).toBe(201);
  return answer.body.data.transaction.id;
}

describe('traces', () => {
  let api: Service;
  let worker: Service;
  const callerTrace = randomBytes(16).toString('hex');
  const callerSpan = randomBytes(8).toString('hex');
  let receipt: Receipt;
  const named = (name: string): ReceivedSpan[] =>
    otlp.spans.filter((span) => span.name === name && span.traceId === callerTrace);

  beforeAll(async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, LOG_LEVEL: 'info' };
    [api, worker] = await Promise.all([
      startService(database.url, { ...env, ...TELLING, ROLE: 'api' }),
      startService(database.url, { ...env, ROLE: 'worker' }),
    ]);
    await cashOut(api.url, '/traced', { traceparent: `00-${callerTrace}-${callerSpan}-01` });
    [receipt] = (await receiver.arrived('/traced', 1)) as [Receipt];
    await eventually(() => named('webhook attempt').length > 0);
    await eventually(() => named('POST /partners-int/accounts/pix/cashout').length > 0);
  }, 60_000);

  afterAll(async () => {
    await Promise.all([api?.stop(), worker?.stop()]);
  });

  it('begin at the request, in the trace that the caller named', () => {
    const [request] = named('POST /partners-int/accounts/pix/cashout');
    expect(request).toMatchObject({ parentSpanId: callerSpan, role: 'api' });
    expect(request!.attributes).toMatchObject({ 'http.response.status_code': 201 });
    expect(request!.attributes['payments.request_id']).toEqual(expect.any(String));
  });

  it('go through the command into the batch, which is linked to its commands', () => {
    const [request] = named('POST /partners-int/accounts/pix/cashout');
    const command = named('ledger command').find(
      ({ attributes }) => attributes['ledger.events'] === 'CashOutRegistered',
    );
    expect(command).toMatchObject({ parentSpanId: request!.spanId, role: 'api' });
    const batch = named('ledger batch').find(({ links }) => links.includes(command!.spanId));
    expect(batch).toMatchObject({ role: 'api' });
    expect(Number(batch!.attributes['ledger.events'])).toBeGreaterThanOrEqual(1);
  });

  it('go on in the worker: leased work, the calls of the rail, and the command that ends the payout', async () => {
    const sending = named('work pix-send-payment')[0];
    expect(sending).toMatchObject({ role: 'worker' });
    expect(named('rail lookUpKey')[0]!.attributes).toMatchObject({ 'payments.rail_outcome': 'Found' });
    expect(named('rail send')[0]).toMatchObject({ parentSpanId: sending!.spanId });
    const ended = () =>
      named('ledger command').find(({ attributes }) => attributes['ledger.events'] === 'CashOutCompleted');
    expect(await eventually(ended)).toMatchObject({ role: 'worker' });
  });

  it('end at the webhook, which continues the trace of its event and names it to the receiver', async () => {
    const [attempt] = named('webhook attempt');
    expect(receipt.headers.traceparent).toBe(`00-${callerTrace}-${attempt!.spanId}-01`);
    const [event] = await database.query<{ traceparent: string }>(
      `select metadata ->> 'traceparent' as traceparent from event where event_id = $1`,
      [receipt.id],
    );
    expect(event!.traceparent).toBe(`00-${callerTrace}-${attempt!.parentSpanId}-01`);
  });

  it('are named in log records, beside the request id', async () => {
    const session = await PartnerApi.login(api.url, partner.credentials);
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01`, 'x-request-id': 'request-7' };
    const answer = await session.post('/accounts/transfer', { transferAmount: 'x' }, headers);
    expect(answer.status).toBe(400);
    const line = await eventually(() => /^.*"requestId":"request-7".*$/m.exec(api.output())?.[0]);
    expect(JSON.parse(line)).toMatchObject({ requestId: 'request-7', trace_id: traceId, status: 400 });
  });

  it('are made of a malformed traceparent as of none, and not of probes', async () => {
    await fetch(`${api.url}/health/ready`);
    await fetch(`${api.url}/nowhere`, { headers: { traceparent: '00-zz-xx-01' } });
    const unknown = await eventually(() => otlp.spans.find(({ name }) => name === 'GET unknown'));
    expect(unknown.parentSpanId).toBeUndefined();
    // The probe was answered before, so its span would be there by now.
    expect(otlp.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
  });

  it('have the SDK loaded', () => {
    expect(api.output()).toMatch(/LOADED .*open-telemetry-tracer/);
  });

  it('follow the caller’s decision: not recorded, and not propagated', async () => {
    const traceId = randomBytes(16).toString('hex');
    const id = await cashOut(api.url, '/unsampled', { traceparent: `00-${traceId}-${callerSpan}-00` });
    const [untraced] = await receiver.arrived('/unsampled', 1);
    expect(untraced!.headers).not.toHaveProperty('traceparent');
    const events = await database.query(`select metadata from event where stream = $1`, [`cash-out-${id}`]);
    expect(events.length).toBeGreaterThan(1);
    for (const { metadata } of events) expect(metadata).not.toHaveProperty('traceparent');
    // At shutdown they flush their spans.
    await Promise.all([api.kill('SIGTERM'), worker.kill('SIGTERM')]);
    const about = ({ attributes }: ReceivedSpan) =>
      attributes['payments.transaction'] === id || attributes['payments.delivery'] === untraced!.id;
    expect(otlp.spans.filter((span) => span.traceId === traceId || about(span))).toEqual([]);
  });
});

it('a receiver that never answers does not keep a process from ending in order', async () => {
  const silent = createServer(() => undefined);
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const service = await startService(database.url, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  try {
    await PartnerApi.login(service.url, partner.credentials);
    const ended = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    silent.close();
    silent.closeAllConnections();
  }
}, 60_000);

describe('without an endpoint', () => {
  it('nothing of the SDK is loaded, events carry no traceparent and webhooks no header', async () => {
    const service = await startService(database.url, TELLING);
    try {
      const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
      const id = await cashOut(service.url, '/off', { traceparent });
      const [receipt] = await receiver.arrived('/off', 1);
      expect(receipt!.headers).not.toHaveProperty('traceparent');
      const events = await database.query(`select metadata from event where stream = $1`, [`cash-out-${id}`]);
      expect(events.length).toBeGreaterThan(1);
      for (const { metadata } of events) expect(metadata).not.toHaveProperty('traceparent');
      expect(service.output()).not.toMatch(/LOADED/);
    } finally {
      await service.stop();
    }
  });
});
