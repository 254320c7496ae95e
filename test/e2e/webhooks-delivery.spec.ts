import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { deadPort } from '../support/webhook-receiver.js';
import { WebhookWorld } from '../support/webhook-world.js';

/** Every status of a delivery, through the whole service, with a receiver that is a process of its own. */

let world: WebhookWorld;
beforeAll(async () => (world = await WebhookWorld.start()), 60_000);
afterAll(() => world?.stop());

const PEOPLE = ['52998224725', '11144477735', '39053344705'];

/** Of delivered ones, which are made due again together, once keys that were read before are not used any more. */
async function onlyTheSecondIsNotPrepared(ids: readonly string[]): Promise<void> {
  await world.database.query(
    `update webhook_delivery set status = 'Retrying', tries = 0, due_at = now() + interval '1.5 seconds'
     where id = any($1::uuid[])`,
    [ids],
  );
  await Promise.all([ids[0]!, ids[2]!].map((id) => world.inStatus(id, 'Delivered')));
  const { attempts } = await world.inStatus(ids[1]!, 'Exhausted');
  expect(attempts.slice(1)).toEqual([2, 3, 4].map((number) => expect.objectContaining({ number, httpStatus: null })));
  expect(attempts.slice(1).map(({ error }: any) => error)).toEqual(['NotPrepared', 'NotPrepared', 'NotPrepared']);
}

/** Makes deliveries that were finished due again, for some time already. */
async function dueAgain(ids: readonly string[], dueFor: string): Promise<void> {
  await world.database.query(
    `update webhook_delivery set status = 'Pending', tries = 0, due_at = now() - $2::interval, due_since = now()
     where id = any($1::uuid[])`,
    [ids, dueFor],
  );
}

describe('a delivery', () => {
  it('arrives once, signed, with the custom header, and is shown as delivered', async () => {
    const id = await world.send('/fine', { customHeaderName: 'X-Source', customHeaderValue: 'the value' });
    const [receipt] = await world.receiver.arrived('/fine', 1);
    expect(receipt).toMatchObject({
      id,
      verifiedBy: 0,
      headers: { 'content-type': 'application/json', 'x-source': 'the value' },
    });
    const shown = await world.inStatus(id, 'Delivered');
    expect(shown).toEqual({
      id,
      transactionId: null,
      transactionState: 'Completed',
      type: null,
      url: world.receiver.url('/fine'),
      status: 'Delivered',
      nextAttemptAt: null,
      attempts: [
        { number: 1, startedAt: expect.any(String), durationMs: expect.any(Number), httpStatus: 200, error: null },
      ],
    });
    expect(world.receiver.at('/fine')).toHaveLength(1);
  });

  it('with a 500 is Delivered by a later attempt with the same id and the same bytes', async () => {
    world.receiver.behave('/mending', '500', '200');
    const id = await world.send('/mending');
    const { attempts } = await world.inStatus(id, 'Delivered');
    expect(attempts.map(({ httpStatus }: any) => httpStatus)).toEqual([500, 200]);
    const receipts = world.receiver.at('/mending');
    expect(new Set(receipts.map((receipt) => receipt.id))).toEqual(new Set([id]));
    expect(new Set(receipts.map((receipt) => receipt.body)).size).toBe(1);
    expect(receipts.every((receipt) => receipt.verifiedBy === 0)).toBe(true);
  });

  it('to a receiver that is down is Exhausted after the whole schedule, at its times, and Delivered by a redelivery', async () => {
    const port = await deadPort();
    const id = await world.sendTo(`http://127.0.0.1:${port}/back`);
    const { attempts, nextAttemptAt } = await world.inStatus(id, 'Exhausted');
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

    const revived = await PartnerReceiver.start([world.partner.webhookSecret], port);
    try {
      expect((await world.session.post(`/webhooks/deliveries/${id}/redeliver`)).body.data).toEqual({ deliveryId: id });
      const shown = await world.inStatus(id, 'Delivered');
      expect(shown.attempts.map(({ number }: any) => number)).toEqual([1, 2, 3, 4]);
      expect((await revived.arrived('/back', 1))[0]).toMatchObject({ id, verifiedBy: 0 });
    } finally {
      await revived.stop();
    }
  });

  it.each([
    ['cannot be decrypted', 'update secret set value = sha256(value)'],
    ['has no value any more', 'delete from secret'],
  ])('whose custom header %s is Exhausted by itself: others due with it are sent', async (_what, damage) => {
    const header = (value: string) => ({ customHeaderName: 'X-Source', customHeaderValue: value });
    const ids = await Promise.all(['one', 'two', 'three'].map((value) => world.send('/damaged', header(value))));
    await Promise.all(ids.map((id) => world.inStatus(id, 'Delivered')));
    await world.database.query(`${damage} where id = (select header_secret from webhook_delivery where id = $1)`, [
      ids[1],
    ]);
    await onlyTheSecondIsNotPrepared(ids);
  });

  it('whose payer cannot be decrypted is Exhausted by itself, not sent with empty texts', async () => {
    const ids = await Promise.all(PEOPLE.map((taxNumber) => world.paidIn('/payers', taxNumber)));
    await Promise.all(ids.map((id) => world.inStatus(id, 'Delivered')));
    await world.database.query(
      `update subject_key set wrapped_key = sha256(wrapped_key)
       where subject = (select (material -> 'party' ->> 'subject')::uuid from webhook_delivery where id = $1)`,
      [ids[1]],
    );
    await onlyTheSecondIsNotPrepared(ids);
  });

  it('waits as long as a 429 asks, within the step after', async () => {
    world.receiver.behave('/busy', '429 1', '200');
    const id = await world.send('/busy');
    const [first, second] = await world.receiver.arrived('/busy', 2);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000);
    const { attempts } = await world.inStatus(id, 'Delivered');
    expect(attempts.map(({ httpStatus }: any) => httpStatus)).toEqual([429, 200]);
  });

  it('with a 410 is Stopped after one attempt; the next one to that address is still sent', async () => {
    world.receiver.behave('/gone', '410');
    const id = await world.send('/gone');
    const { attempts, nextAttemptAt } = await world.inStatus(id, 'Stopped');
    expect(attempts).toMatchObject([{ number: 1, httpStatus: 410, error: null }]);
    expect(nextAttemptAt).toBeNull();
    world.receiver.behave('/gone', '200');
    await world.inStatus(await world.send('/gone'), 'Delivered');
    expect(await world.delivery(id)).toMatchObject({ status: 'Stopped' });
  });

  it('with a redirect fails, and the redirect is not followed', async () => {
    world.receiver.behave('/moved', `302 ${world.receiver.url('/elsewhere')}`);
    const id = await world.send('/moved');
    const { attempts } = await world.inStatus(id, 'Exhausted');
    expect(attempts).toHaveLength(3);
    expect(attempts[0]).toMatchObject({ httpStatus: 302, error: 'RedirectNotFollowed' });
    expect(world.receiver.at('/elsewhere')).toEqual([]);
  });

  it('whose connection drops is retried', async () => {
    world.receiver.behave('/drops', 'drop', '200');
    const { attempts } = await world.inStatus(await world.send('/drops'), 'Delivered');
    expect(attempts).toMatchObject([
      { httpStatus: null, error: 'ConnectionFailed' },
      { httpStatus: 200, error: null },
    ]);
  });

  it('that is answered with 100 MB is Delivered without reading them', async () => {
    world.receiver.behave('/huge', 'huge');
    const { attempts } = await world.inStatus(await world.send('/huge'), 'Delivered');
    expect(attempts).toMatchObject([{ httpStatus: 200, error: null }]);
  });
});

/** Origins whose circuit is open. */
async function circuits(): Promise<number> {
  const { body } = await call(world.service.url, 'GET', '/metrics');
  return Number(/^webhook_open_circuits\{scope="origin"\} (\d+)$/m.exec(body)![1]);
}

describe('a receiver with an open circuit', () => {
  it('gets single probes, and everything once it is back', async () => {
    const port = await deadPort();
    const ids = await Promise.all(Array.from({ length: 40 }, () => world.sendTo(`http://127.0.0.1:${port}/dead`)));
    await eventually(async () => (await circuits()) > 0);
    const revived = await PartnerReceiver.start([world.partner.webhookSecret], port);
    try {
      await revived.arrived('/dead', 1, 20_000);
      await eventually(
        async () => {
          const { body } = await world.session.get('/webhooks/deliveries?limit=100');
          const states = body.data.items.filter(({ id }: any) => ids.includes(id)).map(({ status }: any) => status);
          return states.every((status: string) => status === 'Delivered' || status === 'Exhausted');
        },
        { within: 20_000 },
      );
      const { body } = await world.session.get('/webhooks/deliveries?limit=100');
      const mine = body.data.items.filter(({ id }: any) => ids.includes(id));
      expect(mine).toHaveLength(40);
      // Without the circuit each would have failed by now: forty attempts are made in the first moments.
      const failed = mine.flatMap(({ attempts }: any) => attempts).filter(({ error }: any) => error !== null).length;
      expect(failed).toBeLessThan(40);
      expect(await circuits()).toBe(0);
    } finally {
      await revived.stop();
    }
  }, 60_000);
});

describe('an address that works, behind the backlog of one that is dead at the same origin', () => {
  let shared: PartnerReceiver;
  beforeAll(async () => {
    shared = await PartnerReceiver.start([world.partner.webhookSecret]);
  });
  afterAll(() => shared.stop());

  async function delivered(path: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 50) {
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => world.sendTo(shared.url(path))))));
    }
    await shared.arrived(path, count);
    return ids;
  }

  /**
   * The circuit of the address and of the origin are open, and deliveries to it are due before all others, `well` too.
   */
  async function backlog(path: string, well: readonly string[] = []): Promise<void> {
    const ids = await delivered(path, 300);
    shared.behave(path, '500');
    // Its second attempts open the circuit: who asks for a test then has it probed, and a failed probe doubles the
    // wait.
    for (let i = 0; i < 11; i++) await world.sendTo(shared.url(path));
    await eventually(async () => (await circuits()) > 0);
    await dueAgain(ids, '1 second');
    await dueAgain(well, '0 seconds');
  }

  it('is probed next, and gets its deliveries', async () => {
    const well = await world.sendTo(shared.url('/well'));
    await shared.arrived('/well', 1);
    await backlog('/sick', [well]);
    await shared.arrived('/well', 2, 9_000);
  }, 30_000);

  it('is probed at once when a test is asked for', async () => {
    await backlog('/ill');
    await world.inStatus(await world.sendTo(shared.url('/fine')), 'Delivered', 3_000);
  }, 30_000);
});

describe('what takes its time', () => {
  let slow: PartnerReceiver;
  let sent: string[];
  // Their quarter of a minute passes while the others are tested.
  beforeAll(async () => {
    slow = await PartnerReceiver.start([world.partner.webhookSecret]);
    slow.behave('/late', 'slow 1500');
    slow.behave('/never', 'hang');
    slow.behave('/endless', 'endless-headers');
    sent = await Promise.all(['/late', '/never', '/endless'].map((path) => world.sendTo(slow.url(path))));
  });
  afterAll(() => slow.stop());

  it('a dead address on an origin that is alive is told from the others: theirs arrive at once, its own are exhausted in the end', async () => {
    const shared = await PartnerReceiver.start([world.partner.webhookSecret]);
    try {
      shared.behave('/ill', '500');
      const ill: string[] = [];
      const well: string[] = [];
      for (let i = 0; i < 8; i++) {
        ill.push(await world.sendTo(shared.url('/ill')));
        well.push(await world.sendTo(shared.url('/well')));
        await world.inStatus(well[i]!, 'Delivered');
      }
      await eventually(
        async () => {
          const { items } = (await world.session.get('/webhooks/deliveries?status=Exhausted&limit=100')).body.data;
          return ill.every((id) => items.some((item: { id: string }) => item.id === id));
        },
        { within: 45_000, every: 200 },
      );
      expect(shared.at('/well')).toHaveLength(8);
      const arrivals = (id: string) => shared.receipts.flatMap((receipt, at) => (receipt.id === id ? [at] : []));
      // Its turn is its own, and not that of the dead address's next step.
      for (const [i, id] of well.entries()) {
        const [at] = arrivals(id);
        expect(at).toBeLessThan(arrivals(ill[i]!)[2] ?? Infinity);
      }

      // What has just become due waits for the next probe, however long ago it happened.
      const late = ill.slice(0, 5);
      await dueAgain(late, '0 seconds');
      shared.behave('/ill', '200');
      await eventually(
        async () => {
          const rows = await world.database.query('select status from webhook_delivery where id = any($1)', [late]);
          return rows.every(({ status }) => {
            if (status === 'Exhausted') throw new Error('exhausted without an attempt');
            return status === 'Delivered';
          });
        },
        { within: 45_000, every: 200, unless: () => true },
      );
    } finally {
      await shared.stop();
    }
  }, 60_000);

  it('that is answered late is Delivered; that is never answered, or by headers without end, times out after 15 s', async () => {
    const [late, never, endless] = sent;
    expect((await world.inStatus(late!, 'Delivered')).attempts[0].durationMs).toBeGreaterThanOrEqual(1_490);
    for (const id of [never!, endless!]) {
      const timedOut = async () => {
        const delivery = await world.delivery(id);
        return delivery.attempts.length > 0 && delivery;
      };
      const { status, nextAttemptAt, attempts } = await eventually(timedOut, { within: 30_000 });
      // By now it may have been asked for three times.
      expect([status, nextAttemptAt]).toEqual(
        attempts.length < 3 ? ['Retrying', expect.any(String)] : ['Exhausted', null],
      );
      const [attempt] = attempts;
      expect(attempt).toMatchObject({ number: 1, httpStatus: null, error: 'Timeout' });
      expect(attempt.durationMs).toBeGreaterThanOrEqual(14_900);
      expect(attempt.durationMs).toBeLessThan(20_000);
    }
  }, 60_000);
});

describe('the secret', () => {
  it('signs beside the new one while it is rotated: receivers with either verify', async () => {
    const other = await world.operator.partner(['0.00']);
    const theirs = await PartnerApi.login(world.service.url, other.credentials);
    const { webhookSecret } = await world.operator.post(`/partners/${other.uid}/webhook-secret/rotate`);
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

  const damageOldest = (uid: string) =>
    world.database.query(
      `update registry_secret set value = sha256(value)
       where id = (select (webhook_secrets -> -1 ->> 'id')::uuid from partner where uid = $1)`,
      [uid],
    );

  it('that cannot be read signs nothing beside the new one; without another its deliveries are Exhausted', async () => {
    const other = await world.operator.partner(['0.00']);
    const theirs = await PartnerApi.login(world.service.url, other.credentials);
    await damageOldest(other.uid);
    const receiver = await PartnerReceiver.start([other.webhookSecret]);
    try {
      await theirs.post('/webhooks/test', { url: receiver.url('/none') });
      const [lost] = await eventually(async () => {
        const { items } = (await theirs.get('/webhooks/deliveries?status=Exhausted')).body.data;
        return items.length > 0 && items;
      });
      expect(lost.attempts.map(({ error }: any) => error)).toEqual(['NotPrepared', 'NotPrepared', 'NotPrepared']);
      const { webhookSecret } = await world.operator.post(`/partners/${other.uid}/webhook-secret/rotate`);
      receiver.trust([webhookSecret]);
      await theirs.post('/webhooks/test', { url: receiver.url('/one') });
      const [receipt] = await receiver.arrived('/one', 1);
      expect(receipt).toMatchObject({ verifiedBy: 0 });
      expect(receipt!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
      expect(receiver.at('/none')).toEqual([]);
    } finally {
      await receiver.stop();
    }
  }, 30_000);
});
