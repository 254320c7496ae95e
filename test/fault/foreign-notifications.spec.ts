import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Partitions } from '../../src/event-store/index.js';
import { migrate } from '../../src/platform/database/index.js';
import { eventually } from '../support/eventually.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { WebhookWorld } from '../support/webhook-world.js';

/** `NOTIFY` needs no privilege: whoever has a connection may send on the channel of new events. */

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
