import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addWork, AwaitedCommands, Demand, newId, WorkTable } from '../../src/event-store/index.js';
import { Leases } from '../../src/event-store/work/leases.js';
import { HeldLease } from '../../src/event-store/work/held-lease.js';
import { runningNothing } from '../../src/event-store/work/running-work.js';
import { SingleFlight } from '../../src/event-store/work/single-flight.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

const PARTITION = 1;
const KIND = 'test';

let service: InProcessOwning;

beforeAll(async () => {
  service = await startWithDatabase({ ROLE: 'api' });
});

afterAll(() => service.close());

it('a process that ends leaves no lease, though it is just renewing it', async () => {
  const { app, database, owner } = service;
  const id = newId(PARTITION);
  const item = { id, kind: KIND, subject: id, payload: null, dueAt: new Date(0) };
  await database.transaction((client) => addWork(client, PARTITION, [item]), PARTITION);
  const leases = new Leases(
    database,
    new SingleFlight((_, error) => {
      throw error;
    }),
  );
  const worker = app.get(WorkTable).worker(KIND, 1, () => Promise.resolve('done'));
  const running = runningNothing(worker, new Demand(app.get(AwaitedCommands)));
  const [row] = await leases.claim(worker.source, PARTITION, [id]);
  running.items.set(id, worker.source.parse(row!, new HeldLease(leases.name)));

  await Promise.all([leases.renew([running]), leases.release([running])]);
  expect(await owner.query('select lease, leased_until from work where id = $1', [id])).toEqual([
    { lease: null, leased_until: null },
  ]);
});
