import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';
import { deadPort } from '../support/webhook-receiver.js';

/** Every status of a delivery, through the whole service, with a receiver that is a process of its own. */

let database: TestDatabase;
let service: Service;
let receiver: PartnerReceiver;
let operator: OperatorApi;
let partner: TestPartner;
let session: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { WEBHOOK_RETRY_SCHEDULE: '0s,200ms,2s' });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['100.00']);
  session = await PartnerApi.login(service.url, partner.credentials);
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await database?.drop();
});

function send(path: string, header: Record<string, string> = {}): Promise<string> {
  return sendTo(receiver.url(path), header);
}

async function sendTo(url: string, header: Record<string, string> = {}): Promise<string> {
  const answer = await session.post('/webhooks/test', { url, ...header });
  expect(answer.status).toBe(202);
  return answer.body.data.deliveryId;
}

async function delivery(id: string): Promise<any> {
  const { body } = await session.get('/webhooks/deliveries?limit=100');
  return body.data.items.find((item: { id: string }) => item.id === id);
}

function inStatus(id: string, status: string, within = 10_000): Promise<any> {
  return eventually(
    async () => {
      const found = await delivery(id);
      return found?.status === status && found;
    },
    { within },
  );
}

describe('a delivery', () => {
  it('arrives once, signed, with the custom header, and is shown as delivered', async () => {
    const id = await send('/fine', { customHeaderName: 'X-Source', customHeaderValue: 'the value' });
    const [receipt] = await receiver.arrived('/fine', 1);
    expect(receipt).toMatchObject({
      id,
      verifiedBy: 0,
      headers: { 'content-type': 'application/json', 'x-source': 'the value' },
    });
    const shown = await inStatus(id, 'Delivered');
    expect(shown).toEqual({
      id,
      transactionId: null,
      transactionState: 'Completed',
      url: receiver.url('/fine'),
      status: 'Delivered',
      nextAttemptAt: null,
      attempts: [
        { number: 1, startedAt: expect.any(String), durationMs: expect.any(Number), httpStatus: 200, error: null },
      ],
    });
    expect(receiver.at('/fine')).toHaveLength(1);
  });

  it('that meets 500 is Retrying, then Delivered by a later try with the same id and the same bytes', async () => {
    receiver.behave('/mending', '500');
    const id = await send('/mending');
    expect(await inStatus(id, 'Retrying')).toMatchObject({ nextAttemptAt: expect.any(String) });
    receiver.behave('/mending', '200');
    const { attempts } = await inStatus(id, 'Delivered');
    expect(attempts.map(({ httpStatus }: any) => httpStatus)).toEqual([...attempts.slice(1).map(() => 500), 200]);
    expect(attempts.length).toBeGreaterThan(1);
    const receipts = receiver.at('/mending');
    expect(new Set(receipts.map((receipt) => receipt.id))).toEqual(new Set([id]));
    expect(new Set(receipts.map((receipt) => receipt.body)).size).toBe(1);
    expect(receipts.every((receipt) => receipt.verifiedBy === 0)).toBe(true);
  });

  it('to a receiver that is down is Exhausted after the whole schedule, at its times, and Delivered once asked for again', async () => {
    const port = await deadPort();
    const id = await sendTo(`http://127.0.0.1:${port}/back`);
    const { attempts, nextAttemptAt } = await inStatus(id, 'Exhausted');
    expect(nextAttemptAt).toBeNull();
    expect(attempts).toHaveLength(3);
    expect(attempts).toEqual(
      attempts.map((_: unknown, i: number) => ({
        number: i + 1,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        httpStatus: null,
        error: 'ConnectionFailed',
      })),
    );
    const [first, second, third] = attempts.map(({ startedAt }: any) => Date.parse(startedAt));
    expect(second - first).toBeGreaterThanOrEqual(160);
    expect(third - second).toBeGreaterThanOrEqual(1_600);

    const revived = await PartnerReceiver.start([partner.webhookSecret], port);
    try {
      expect((await session.post(`/webhooks/deliveries/${id}/redeliver`)).body.data).toEqual({ deliveryId: id });
      const shown = await inStatus(id, 'Delivered');
      expect(shown.attempts.map(({ number }: any) => number)).toEqual([1, 2, 3, 4]);
      expect((await revived.arrived('/back', 1))[0]).toMatchObject({ id, verifiedBy: 0 });
    } finally {
      await revived.stop();
    }
  });

  it('waits as long as a 429 asks, within the step after', async () => {
    receiver.behave('/busy', '429 1');
    const id = await send('/busy');
    const [first] = await receiver.arrived('/busy', 1);
    receiver.behave('/busy', '200');
    const [, second] = await receiver.arrived('/busy', 2);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000);
    const { attempts } = await inStatus(id, 'Delivered');
    expect(attempts.map(({ httpStatus }: any) => httpStatus)).toEqual([429, 200]);
  });

  it('that meets 410 is Stopped by one attempt; the next one to that address is sent all the same', async () => {
    receiver.behave('/gone', '410');
    const id = await send('/gone');
    const { attempts, nextAttemptAt } = await inStatus(id, 'Stopped');
    expect(attempts).toMatchObject([{ number: 1, httpStatus: 410, error: null }]);
    expect(nextAttemptAt).toBeNull();
    receiver.behave('/gone', '200');
    await inStatus(await send('/gone'), 'Delivered');
    expect(await delivery(id)).toMatchObject({ status: 'Stopped' });
  });

  it('that meets a redirect fails and follows it nowhere', async () => {
    receiver.behave('/moved', `302 ${receiver.url('/elsewhere')}`);
    const id = await send('/moved');
    const { attempts } = await inStatus(id, 'Exhausted');
    expect(attempts).toHaveLength(3);
    expect(attempts[0]).toMatchObject({ httpStatus: 302, error: 'RedirectNotFollowed' });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('whose connection drops is tried again', async () => {
    receiver.behave('/drops', 'drop');
    const id = await send('/drops');
    expect((await inStatus(id, 'Retrying')).attempts[0]).toMatchObject({ httpStatus: null, error: 'ConnectionFailed' });
    receiver.behave('/drops', '200');
    await inStatus(id, 'Delivered');
  });

  it('that is answered with 100 MB is Delivered without reading them', async () => {
    receiver.behave('/huge', 'huge');
    const { attempts } = await inStatus(await send('/huge'), 'Delivered');
    expect(attempts).toMatchObject([{ httpStatus: 200, error: null }]);
  });

  it('that is answered late is Delivered; that is never answered, or by headers without end, times out after 15 s', async () => {
    const slow = await PartnerReceiver.start([partner.webhookSecret]);
    try {
      slow.behave('/late', 'slow 1500');
      slow.behave('/never', 'hang');
      slow.behave('/endless', 'endless-headers');
      const [late, never, endless] = await Promise.all(
        ['/late', '/never', '/endless'].map((path) => sendTo(slow.url(path))),
      );
      expect((await inStatus(late!, 'Delivered')).attempts[0].durationMs).toBeGreaterThanOrEqual(1_490);
      for (const id of [never!, endless!]) {
        const [attempt] = (await inStatus(id, 'Retrying', 30_000)).attempts;
        expect(attempt).toMatchObject({ number: 1, httpStatus: null, error: 'Timeout' });
        expect(attempt.durationMs).toBeGreaterThanOrEqual(14_900);
        expect(attempt.durationMs).toBeLessThan(20_000);
      }
    } finally {
      await slow.stop();
    }
  }, 60_000);
});

describe('a receiver taken for dead', () => {
  it('gets a trickle of probes, and everything once it is back', async () => {
    const port = await deadPort();
    const ids = await Promise.all(Array.from({ length: 40 }, () => sendTo(`http://127.0.0.1:${port}/dead`)));
    const circuits = async () => {
      const { body } = await call(service.url, 'GET', '/metrics');
      return Number(/^webhook_open_circuits\{scope="origin"\} (\d+)$/m.exec(body)![1]);
    };
    await eventually(async () => (await circuits()) > 0);
    const revived = await PartnerReceiver.start([partner.webhookSecret], port);
    try {
      await revived.arrived('/dead', 1, 20_000);
      await eventually(
        async () => {
          const { body } = await session.get('/webhooks/deliveries?limit=100');
          const states = body.data.items.filter(({ id }: any) => ids.includes(id)).map(({ status }: any) => status);
          return states.every((status: string) => status === 'Delivered' || status === 'Exhausted');
        },
        { within: 20_000 },
      );
      const { body } = await session.get('/webhooks/deliveries?limit=100');
      const mine = body.data.items.filter(({ id }: any) => ids.includes(id));
      expect(mine).toHaveLength(40);
      // Without the circuit each would have failed by now: forty attempts come in the first moments.
      const failed = mine.flatMap(({ attempts }: any) => attempts).filter(({ error }: any) => error !== null).length;
      expect(failed).toBeLessThan(40);
      expect(await circuits()).toBe(0);
    } finally {
      await revived.stop();
    }
  }, 60_000);
});

describe('a dead address on an origin that is alive', () => {
  it('is told from the others: theirs arrive at once, its own are exhausted in the end', async () => {
    const shared = await PartnerReceiver.start([partner.webhookSecret]);
    try {
      shared.behave('/ill', '500');
      const ill: string[] = [];
      for (let i = 0; i < 8; i++) {
        ill.push(await sendTo(shared.url('/ill')));
        await inStatus(await sendTo(shared.url('/well')), 'Delivered', 2_000);
      }
      await eventually(
        async () => {
          const { items } = (await session.get('/webhooks/deliveries?status=Exhausted&limit=100')).body.data;
          return ill.every((id) => items.some((item: { id: string }) => item.id === id));
        },
        { within: 45_000, every: 200 },
      );
      expect(shared.at('/well')).toHaveLength(8);
    } finally {
      await shared.stop();
    }
  }, 60_000);
});

describe('the secret', () => {
  it('signs beside the new one while it is rotated: receivers with either verify', async () => {
    const other = await operator.partner(['0.00']);
    const theirs = await PartnerApi.login(service.url, other.credentials);
    const { webhookSecret } = await operator.post(`/partners/${other.uid}/webhook-secret/rotate`);
    const both = await PartnerReceiver.start([other.webhookSecret]);
    try {
      await theirs.post('/webhooks/test', { url: both.url('/old') });
      expect((await both.arrived('/old', 1))[0]).toMatchObject({ verifiedBy: 0 });
      both.trust([webhookSecret]);
      await theirs.post('/webhooks/test', { url: both.url('/new') });
      const [receipt] = await both.arrived('/new', 1);
      expect(receipt).toMatchObject({ verifiedBy: 0 });
      expect(receipt!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    } finally {
      await both.stop();
    }
  });
});

describe('the routes', () => {
  it('refuse an address that is not to be called, and a header that is not to be set, with every fault', async () => {
    const answer = await session.post('/webhooks/test', {
      url: 'https://169.254.169.254/latest/meta-data',
      customHeaderName: 'Host',
      customHeaderValue: 'x',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      name: 'InvalidInputError',
      details: [
        { path: 'url', code: 'NotAllowed', info: {} },
        { path: 'customHeaderName', code: 'NotAllowed', info: {} },
      ],
    });
  });

  it("know no delivery of another partner's, nor one that never was; the operator may ask for any", async () => {
    const id = await send('/mine');
    await inStatus(id, 'Delivered');
    const stranger = await PartnerApi.login(service.url, (await operator.partner(['0.00'])).credentials);
    for (const unknown of [id, '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e', 'nothing']) {
      const answer = await stranger.post(`/webhooks/deliveries/${unknown}/redeliver`);
      expect(answer.status).toBe(404);
      expect(answer.body.error.details).toMatchObject({ entityName: 'WebhookDeliveryEntity', parameterValue: unknown });
    }
    expect((await stranger.get('/webhooks/deliveries')).body.data).toEqual({ items: [], nextCursor: null });
    expect(await operator.post(`/webhooks/deliveries/${id}/redeliver`)).toEqual({ deliveryId: id });
    await receiver.arrived('/mine', 2);
    const listed = await operator.get(`/accounts/${partner.accounts[0]}/webhooks/deliveries?limit=100`);
    expect(listed.items.some((item: { id: string }) => item.id === id)).toBe(true);
  });

  it('need the permission webhooks:manage', async () => {
    const key = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, { permissions: ['accounts:read'] });
    const reader = await PartnerApi.login(service.url, key);
    expect((await reader.get('/webhooks/deliveries')).status).toBe(403);
    expect((await reader.post('/webhooks/test', { url: receiver.url('/x') })).status).toBe(403);
  });

  it('list newest first, page by page, by status; a foreign cursor, status or limit is 400', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await send('/listed'));
    await Promise.all(ids.map((id) => inStatus(id, 'Delivered')));
    const first = (await session.get('/webhooks/deliveries?status=Delivered&limit=2')).body.data;
    const second = (await session.get(`/webhooks/deliveries?status=Delivered&limit=2&cursor=${first.nextCursor}`)).body
      .data;
    const listed = [...first.items, ...second.items].map(({ id }: any) => id);
    expect(listed.slice(0, 3)).toEqual([...ids].reverse());
    for (const query of ['status=Lost', 'limit=0', `status=Stopped&cursor=${first.nextCursor}`]) {
      expect((await session.get(`/webhooks/deliveries?${query}`)).status).toBe(400);
    }
    const stopped = (await session.get('/webhooks/deliveries?status=Stopped')).body.data.items;
    expect(stopped.every(({ status }: any) => status === 'Stopped')).toBe(true);
  });
});
