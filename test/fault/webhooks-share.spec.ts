import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/**
 * Partners whose receivers take their time must not hold up another partner's deliveries. Nothing here hangs on a
 * clock: the attackers' deliveries are not answered before the other's have arrived, so who had to wait for them would
 * never come. The long form is `npm run bench:webhooks-share`.
 */
const DELIVERIES = 40;

let database: TestDatabase;
let services: Service[];
let operator: OperatorApi;
let victim: TestPartner;
let held: (() => void)[];
let receivers: Receiver[];

/** Answers the first `quick` requests at once, and holds all others until it is told to let go. */
async function receiver(quick: number): Promise<string> {
  let asked = 0;
  const started = await startReceiver((response) => {
    if ((asked += 1) <= quick) response.end();
    else held.push(() => response.end());
  });
  receivers.push(started);
  return `http://127.0.0.1:${started.port}`;
}

async function send(partner: TestPartner, urls: readonly string[]): Promise<void> {
  const session = await PartnerApi.login(services[0]!.url, partner.credentials);
  const answers = await Promise.all(urls.map((url) => session.post('/webhooks/test', { url })));
  expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 202));
}

const repeated = (url: string, times: number) => Array.from({ length: times }, () => url);
const undelivered = async (partner: TestPartner) =>
  (await database.query(`select from webhook_delivery where partner_uid = $1 and status <> 'Delivered'`, [partner.uid]))
    .length;

/** What is held stays the same for a while: the attackers have all that they can get. */
async function attackersHaveTheirs(atLeast: number): Promise<void> {
  let before = -1;
  await eventually(
    () => {
      const same = held.length >= atLeast && held.length === before;
      before = held.length;
      return same;
    },
    { within: 10_000, every: 400 },
  );
}

beforeAll(async () => {
  database = await createDatabase();
  held = [];
  receivers = [];
  const settings = { LEDGER_PARTITIONS: '1' };
  services = [await startService(database.url, settings)];
  operator = new OperatorApi(services[0]!.url);
  victim = await operator.partner(['0.00']);
}, 60_000);

afterAll(async () => {
  held?.forEach((release) => release());
  await Promise.all(receivers?.map((one) => one.close()) ?? []);
  await Promise.all(services?.map((service) => service.stop()) ?? []);
  await database?.drop();
});

describe('deliveries of one partner that a host holds', () => {
  it("leave another partner's to the same host alone", async () => {
    const attacker = await operator.partner(['0.00']);
    const origin = await receiver(200);
    // Quick at first, so that the attacker has all the room at this host that a partner can have.
    await send(attacker, repeated(`${origin}/hook`, 200));
    await eventually(async () => (await undelivered(attacker)) === 0, { within: 20_000 });
    await send(attacker, repeated(`${origin}/hook`, 200));
    await attackersHaveTheirs(8);
    const [theirs, before] = [receivers.at(-1)!.received.length, held.length];

    await send(victim, repeated(`${origin}/hook`, 4));
    await eventually(() => receivers.at(-1)!.received.length >= theirs + 4, { within: 10_000 });
    // They have come while all of the attacker's were still held.
    expect(held.length).toBeGreaterThanOrEqual(before + 4);
    held.splice(0).forEach((release) => release());
  }, 60_000);
});

describe('partners with very many hosts that hold their deliveries', () => {
  it.each([['in one process'], ['over two processes']])(
    'leave slots for another: %s',
    async (where) => {
      if (where === 'over two processes') services.push(await startService(database.url, { LEDGER_PARTITIONS: '1' }));
      const attackers = await Promise.all(Array.from({ length: 5 }, () => operator.partner(['0.00'])));
      for (const attacker of attackers) {
        const hosts = await Promise.all(Array.from({ length: 32 }, () => receiver(0)));
        await send(attacker, [...hosts, ...hosts, ...hosts, ...hosts, ...hosts]);
      }
      await attackersHaveTheirs(400);
      const mine = await receiver(DELIVERIES);
      const before = held.length;
      await send(victim, repeated(mine, DELIVERIES));
      const { received } = receivers.at(-1)!;
      await eventually(() => received.length >= DELIVERIES, { within: 10_000 });
      expect(held.length).toBeGreaterThanOrEqual(before);
      held.splice(0).forEach((release) => release());
    },
    60_000,
  );
});
