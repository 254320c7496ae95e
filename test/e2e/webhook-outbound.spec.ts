import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { SenderClosed } from '../../src/platform/outbound/attempt-error.js';
import { attemptOutcome, type AttemptResult, sendWebhook } from '../../src/webhooks/outbound/send-webhook.js';
import { signWebhook } from '../../src/webhooks/outbound/standard-webhooks.js';
import {
  agent,
  closeAll,
  loopbackOnly,
  ok,
  receive,
  receiveRaw,
  send,
  sendTo,
  until,
} from '../support/outbound-fixture.js';
import { newWebhookSecret } from '../support/webhook-secret.js';
import { deadPort, type Receiver } from '../support/webhook-receiver.js';
import { waitedBeside } from '../support/beside.js';

afterEach(closeAll);

describe('one attempt', () => {
  it('posts the body as signed, and the receiver verifies it', async () => {
    const receiver = await receive(ok);
    const secret = newWebhookSecret();
    const body = JSON.stringify({ id: 'é', transactionState: 'Completed' });
    const headers = {
      ...signWebhook({ id: 'dlv_1', timestamp: new Date(), body }, [secret]),
      Authorization: 'Bearer x',
    };
    const url = `http://127.0.0.1:${receiver.port}/hooks/pix?a=1#top`;

    const [before, began] = [Date.now(), performance.now()];
    const result = await sendWebhook(agent(), { url, body, headers });
    const took = performance.now() - began;

    expect(result).toMatchObject({ httpStatus: 200, error: null });
    expect(result.startedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(result.startedAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(result.durationMs).toBeGreaterThan(0);
    expect(result.durationMs).toBeLessThanOrEqual(Math.ceil(took));
    expect(attemptOutcome(result)).toBe('Delivered');
    const [got] = receiver.received;
    expect(got).toMatchObject({ method: 'POST', path: '/hooks/pix?a=1', body });
    expect(got?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      authorization: 'Bearer x',
    });
    expect(new Webhook(secret).verify(got!.body, got!.headers as Record<string, string>)).toEqual(JSON.parse(body));
  });

  it.each([
    [204, 'Delivered'],
    [299, 'Delivered'],
    [304, 'Failed'],
    [400, 'Failed'],
    [410, 'Gone'],
    [500, 'Failed'],
  ])('reports the status %d, which is %s', async (status, outcome) => {
    const receiver = await receive((response) => response.writeHead(status).end());
    const result = await send(receiver);
    expect(result).toMatchObject({ httpStatus: status, error: null });
    expect(attemptOutcome(result)).toBe(outcome);
  });

  it('reports what a 429 asks for, in seconds or as a date', async () => {
    const seconds = await receive((response) => response.writeHead(429, { 'retry-after': '7' }).end());
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const date = await receive((response) => response.writeHead(503, { 'retry-after': inAnHour }).end());
    expect(await send(seconds)).toMatchObject({ httpStatus: 429, error: null, retryAfterSeconds: 7 });
    const { retryAfterSeconds } = await send(date);
    expect(retryAfterSeconds).toBeGreaterThan(3_590);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
  });

  it('does not heed Retry-After on success', async () => {
    const receiver = await receive((response) => response.writeHead(200, { 'retry-after': '7' }).end());
    expect(await send(receiver)).not.toHaveProperty('retryAfterSeconds');
  });

  it('does not follow a redirect, to a private address or to anywhere', async () => {
    const target = await receive(ok);
    for (const location of ['http://10.0.0.1/', `http://127.0.0.1:${target.port}/`]) {
      const receiver = await receive((response) => response.writeHead(302, { location }).end());
      const result = await send(receiver);
      expect(result).toMatchObject({ httpStatus: 302, error: 'RedirectNotFollowed' });
      expect(attemptOutcome(result)).toBe('Failed');
      expect(receiver.received).toHaveLength(1);
    }
    expect(target.connections()).toBe(0);
  });
});

describe('a receiver that misbehaves', () => {
  it('is down', async () => {
    expect(await send({ port: await deadPort() })).toMatchObject({ httpStatus: null, error: 'ConnectionFailed' });
  });

  it('drops the connection before an answer', async () => {
    const receiver = await receiveRaw((socket) => socket.once('data', () => socket.destroy()));
    expect(await send(receiver)).toMatchObject({ httpStatus: null, error: 'ConnectionFailed' });
  });

  it('drops the connection within its answer, which is no success', async () => {
    const receiver = await receiveRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    );
    const result = await send(receiver);
    expect(result).toMatchObject({
      httpStatus: 200,
      error: expect.stringMatching(/^(ConnectionFailed|InvalidResponse)$/),
    });
    expect(attemptOutcome(result)).toBe('Failed');
  });

  it('speaks something else', async () => {
    const receiver = await receiveRaw((socket) => socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.9\r\n')));
    expect(await send(receiver)).toMatchObject({ httpStatus: null, error: 'InvalidResponse' });
  });

  it('never answers', async () => {
    const receiver = await receive(() => undefined);
    await expectTimeout(receiver, null);
  });

  it('never ends its headers, a few at a time', async () => {
    const receiver = await receiveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-more: 1\r\n'), 10);
      socket.once('close', () => clearInterval(timer));
    });
    await expectTimeout(receiver, null);
  });

  it('never ends its headers, as fast as it can', async () => {
    const receiver = await receiveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\n' + 'x-more: 1\r\n'.repeat(10_000)));
    expect(await send(receiver)).toMatchObject({ httpStatus: null, error: 'InvalidResponse' });
  });

  it('never ends its body, a little at a time: its status is known, but it has failed', async () => {
    const receiver = await receive((response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.once('close', () => clearInterval(timer));
    });
    await expectTimeout(receiver, 200);
  });

  it('never ends its body, as fast as it can: its status counts', async () => {
    const receiver = await receive((response) => pour(response, Infinity));
    const result = await send(receiver);
    expect(result).toMatchObject({ httpStatus: 200, error: null });
    await until(() => receiver.openConnections() === 0);
  });

  it('answers with 100 MB: little of it is read, its status counts, its connection is dropped', async () => {
    let poured = 0;
    const receiver = await receive((response) => {
      response.writeHead(500, { 'content-length': 100e6 });
      pour(response, 100e6, (bytes) => (poured += bytes));
    });
    const result = await send(receiver);
    expect(result).toMatchObject({ httpStatus: 500, error: null });
    expect(result.durationMs).toBeLessThan(5_000);
    await until(() => receiver.openConnections() === 0);
    // What the receiver could write is what we took plus what the two kernels buffer: nowhere near the whole.
    expect(poured).toBeLessThan(20e6);
  });

  it('holds no more connections than its share, and one that had to wait in vain is never sent late', async () => {
    const held: ServerResponse[] = [];
    const receiver = await receive((response) => void held.push(response));
    const sender = agent({ connectionsPerOrigin: 2 });
    // The two that come first hold on for longer than the others wait.
    const attempts = [2_000, 2_000, 300, 300, 300].map((deadlineMs) => send(receiver, { sender, deadlineMs }));
    await Promise.all(attempts.slice(2));
    expect(receiver.connections()).toBe(2);
    const results = await Promise.all(attempts);
    expect(results.map(({ error }) => error)).toEqual(Array(5).fill('Timeout'));
    await until(() => receiver.openConnections() === 0);

    const [again] = await Promise.all([send(receiver, { sender, deadlineMs: 5_000 }), answerNext(held)]);
    expect(again).toMatchObject({ httpStatus: 200 });
    expect(receiver.received).toHaveLength(3);
  });

  it('does not hold up another origin', async () => {
    const slow = await receive(() => undefined);
    const quick = await receive(ok);
    const sender = agent({ connectionsPerOrigin: 1 });
    const waiting = Promise.all([1, 2, 3].map(() => send(slow, { sender, deadlineMs: 1_000 })));
    await until(() => slow.received.length === 1);
    expect(await send(quick, { sender, deadlineMs: 900 })).toMatchObject({ httpStatus: 200 });
    await waiting;
  });
});

describe('connections', () => {
  it('are kept for the next delivery', async () => {
    const receiver = await receive(ok);
    const sender = agent({ connectionsPerOrigin: 1 });
    for (let n = 0; n < 5; n += 1) expect(await send(receiver, { sender })).toMatchObject({ httpStatus: 200 });
    expect(receiver.connections()).toBe(1);
  });

  it('live only so long, however busy: then the name is resolved and checked again', async () => {
    const receiver = await receive(ok);
    let asked = 0;
    const resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    const sender = agent({ policy: loopbackOnly, resolve, connectionsPerOrigin: 1, connectionLifeMs: 100 });
    const started = performance.now();
    let result: AttemptResult;
    do {
      result = await sendTo(`http://moving.example:${receiver.port}/`, sender);
    } while (result.error === null && performance.now() - started < 5_000);
    expect(result).toMatchObject({ httpStatus: null, error: 'NameNotResolved' });
    expect(receiver.received.length).toBeGreaterThan(1);
    expect(receiver.connections()).toBe(1);
  });

  it('end with the sender, whose attempts under way say nothing of the receiver', async () => {
    const receiver = await receive(() => undefined);
    const sender = agent();
    const refused = expect(send(receiver, { sender })).rejects.toThrow(SenderClosed);
    await until(() => receiver.received.length === 1);
    await sender.destroy();
    await refused;
    await expect(send(receiver, { sender })).rejects.toThrow(SenderClosed);
    await until(() => receiver.openConnections() === 0);
  });

  it('still being made end with the sender too', async () => {
    const sender = agent({ resolve: () => new Promise(() => undefined) });
    const refused = expect(sendTo('https://partner.example/', sender)).rejects.toThrow(SenderClosed);
    await sender.destroy();
    await refused;
  });
});

async function expectTimeout(receiver: Receiver, httpStatus: number | null): Promise<void> {
  const [result, control] = await Promise.all([send(receiver, { deadlineMs: 300 }), waitedBeside(300)]);
  expect(result).toMatchObject({ httpStatus, error: 'Timeout' });
  expect(attemptOutcome(result)).toBe('Failed');
  expect(result.durationMs).toBeGreaterThanOrEqual(290);
  expect(result.durationMs - control).toBeLessThan(1_500);
  await until(() => receiver.openConnections() === 0);
}

/** Writes as fast as the reader takes, until `total` bytes are out or the connection has gone. */
function pour(response: ServerResponse, total: number, count: (bytes: number) => void = () => undefined): void {
  const chunk = Buffer.alloc(64 * 1024);
  function* chunks() {
    for (let sent = 0; sent < total; sent += chunk.length) {
      count(chunk.length);
      yield chunk;
    }
  }
  pipeline(Readable.from(chunks()), response).catch(() => undefined); // the reader leaves: that is what is tested
}

async function answerNext(held: ServerResponse[]): Promise<void> {
  const before = held.length;
  await until(() => held.length > before);
  held.at(-1)?.end();
}
