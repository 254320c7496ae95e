import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import pg from 'pg';
import { EntryPoints, Limits } from '../../src/auth/index.js';
import { Partitions } from '../../src/event-store/index.js';
import { migrate } from '../../src/platform/database/index.js';
import { eventually } from '../support/eventually.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { WebhookWorld } from '../support/webhook-world.js';

/** `NOTIFY` needs no privilege: whoever has a connection may send on the channels of new events and of limits. */

const FOREIGN = ['', 'x', 'x y', 'x 1.5', 'x -1', 'x 100000000', 'x 4294967296', `x ${'9'.repeat(7_000)}`];
const NOTIFY = `select pg_notify('ledger_news', $1)`;

describe('the partitions of a process', () => {
  let service: InProcessOwning;
  beforeAll(async () => (service = await startWithDatabase()), 60_000);
  afterAll(() => service?.close());

  it('are those of the database, whatever a notification names; a new one is known at once', async () => {
    const { app, owner } = service;
    const partitions = app.get(Partitions, { strict: false });
    const before = partitions.all();
    const added = before.length;
    for (const payload of FOREIGN) await owner.query(NOTIFY, [payload]);
    await migrate({ url: owner.url, partitions: added });
    // A process asks by itself every ten seconds.
    await owner.query(NOTIFY, [`x ${added} ${added}`]);
    await eventually(() => partitions.all().length > before.length, { within: 5_000 });
    expect(partitions.all()).toEqual([...before, added]);
  });
});

describe('a service that was sent foreign notifications', () => {
  let world: WebhookWorld;
  beforeAll(async () => (world = await WebhookWorld.start()), 60_000);
  afterAll(() => world?.stop());

  it('goes on to send what falls due in a quiet partition', async () => {
    world.receiver.behave('/late', '500', '500', '200');
    const id = await world.send('/late');
    await world.receiver.arrived('/late', 2);
    for (const payload of FOREIGN) await world.database.query(NOTIFY, [payload]);
    const { attempts } = await world.inStatus(id, 'Delivered');
    expect(attempts).toHaveLength(3);
    expect(world.service.process.exitCode).toBeNull();
  });
});

describe('the limits of a process', () => {
  let service: InProcessOwning;
  let listener: pg.Client;
  beforeAll(async () => {
    service = await startWithDatabase({ RATE_LIMIT_PER_SECOND: '1' });
    listener = new pg.Client({ connectionString: service.owner.url });
    await listener.connect();
  }, 60_000);
  afterAll(async () => {
    await listener?.end();
    await service?.close();
  });

  const ODD = ['', '{}', '[1]', 'null', 'here', 'x here', 'x'.repeat(7_000), 'AAAAAAAA', 'AAAAAAAA {"key":1}'];
  const ODD_COUNTS = ['', '{"whole":1}', 'whole', 'whole=NaN', 'whole=Infinity', 'whole=1e9', 'whole=99999999'];
  const FORGIVING = ['spent=-1000', 'spent=NaN', 'spent=-Infinity', 'spent=-1e400'];
  const reply = { getHeader: () => undefined, header: () => undefined } as unknown as FastifyReply;
  const send = (payload: string) => service.owner.query(`select pg_notify('ledger_limits', $1)`, [payload]);

  it('are the same after what no process sends, which makes nobody a peer', async () => {
    const { requests } = service.app.get(Limits, { strict: false });
    const received: string[] = [];
    listener.on('notification', ({ payload }) => received.push(payload!));
    await listener.query('listen ledger_limits');
    const greetings = () => received.filter((one) => one.endsWith(' hello')).length;
    requests.take('spent', reply, 500);

    for (const payload of ODD) await send(payload);
    await eventually(() => received.filter((one) => one.endsWith(' here')).length > 2, { within: 5_000 });
    expect(greetings()).toBe(0);
    for (const counts of [...ODD_COUNTS, ...FORGIVING]) await send(`AAAAAAAA key ${counts}`);
    for (const kind of ['f', 'p', 'n']) await send(`AAAAAAAA door-login ${kind}/key/name=Infinity ${kind}/key=-1`);
    await send('AAAAAAAA key last=1000');
    await eventually(() => isSpent('last'), { within: 5_000 });
    expect([isSpent('whole'), isSpent('spent')]).toEqual([false, true]);
    expect(greetings()).toBe(1);
    expect(service.app.get(EntryPoints, { strict: false }).login.snapshot(7_800)).toBeUndefined();

    function isSpent(key: string): boolean {
      try {
        requests.check(key, reply);
        return false;
      } catch {
        return true;
      }
    }
  });
});
