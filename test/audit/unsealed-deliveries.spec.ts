import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/index.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { ledger, oneWorld, sent, sentAgain, stateOf, verified, world, write } from '../support/sealed-world.js';

const excused = (count: number, { partition, up_to: upTo }: Unsealed) =>
  `${count} webhook deliveries of partition ${partition}, of events up to ${upTo}, have no seal, as versions before ` +
  'left them: run `ledger seal-deliveries` once all workers are replaced';

interface Unsealed extends Record<string, unknown> {
  readonly partition: number;
  readonly up_to: string;
}

const records = () => world.database.query<Unsealed>('select partition, up_to from unsealed_deliveries');

/** The database as the version before left it, migrated to this one. */
async function upgrade(): Promise<void> {
  await world.database.query(`
    alter table webhook_delivery drop column seal;
    drop table unsealed_deliveries;
    delete from schema_migration where name like 'DeliveriesSealed%'`);
  const { applied } = await migrate({ url: world.database.url, partitions: 2 });
  expect(applied).toEqual([expect.stringMatching(/^DeliveriesSealed/)]);
}

describe('deliveries of before the upgrade, without a seal,', () => {
  oneWorld();
  let old: string[];
  let retried: string;
  let record: Unsealed;

  beforeAll(async () => {
    old = [await sent('/', 'Delivered'), await sent('/gone', 'Stopped'), await sent('/', 'Delivered')];
    retried = await sent('/fails', 'Retrying');
    await upgrade();
    [record] = (await records()) as [Unsealed];
  }, 30_000);

  it('are no divergence: verify warns of them, with their number', async () => {
    expect(await records()).toEqual([record]);
    expect(await verified()).toEqual({ code: 0, named: {}, warnings: [excused(4, record)] });
    const { code, stdout } = await ledger(['verify']);
    expect({ code, said: stdout.split('\n') }).toEqual({
      code: 0,
      said: expect.arrayContaining([`WARNING: ${excused(4, record)}`, expect.stringMatching(/^OK: nothing diverges/)]),
    });
  });

  it('are divergences under a seal that does not fit', async () => {
    const { seal } = await stateOf(await sent('/', 'Delivered'));
    await write(old[0]!, { seal });
    expect(await verified()).toEqual({
      code: 1,
      named: { [old[0]!]: 'status: Delivered after 1 tries' },
      warnings: [excused(3, record)],
    });
    await write(old[0]!, { seal: null });
  });

  it('excuse none of later, nor one that was asked for again', async () => {
    const [later, again] = [await sent('/', 'Delivered'), old[1]!];
    const before = await stateOf(again);
    await sentAgain(again, 'Stopped');
    const [laterState, newest] = [await stateOf(later), await stateOf(again)];
    for (const id of [later, again]) await write(id, { seal: null });
    expect(await verified()).toEqual({
      code: 1,
      named: { [later]: 'status: Delivered after 1 tries', [again]: 'status: Stopped after 1 tries' },
      warnings: [excused(3, record)],
    });
    await write(again, before);
    expect((await verified()).named[again]).toBe('redelivery_position: nothing');
    await write(again, newest);
    await write(later, laterState);
  }, 30_000);

  it('are not believed by who sends them: the schedule begins anew', async () => {
    await write(retried, { tries: 9, due_at: new Date() });
    await eventually(async () => (await stateOf(retried)).tries === 1);
    expect(await verified()).toEqual({ code: 0, named: {}, warnings: [excused(2, record)] });
  }, 30_000);

  it('are sealed by the operator: none is excused from then on', async () => {
    expect(await ledger(['seal-deliveries', '--before', new Date().toISOString()])).toMatchObject({
      code: 0,
      stdout: '2 deliveries are sealed as they are.\n',
    });
    expect(await records()).toEqual([]);
    expect(await verified()).toEqual({ code: 0, named: {}, warnings: [] });
    await write(old[0]!, { seal: null });
    expect(await verified()).toEqual({
      code: 1,
      named: { [old[0]!]: 'status: Delivered after 1 tries' },
      warnings: [],
    });
  }, 30_000);
});

describe('a database that no version before wrote', () => {
  oneWorld();

  it('excuses none; verify does not keep silent about one who has it excuse some', async () => {
    expect(await records()).toEqual([]);
    const id = await sent('/', 'Delivered');
    await write(id, { seal: null });
    expect(await verified()).toMatchObject({ code: 1, warnings: [] });
    const [record] = await world.database.query<Unsealed>(`
      insert into unsealed_deliveries (partition, up_to)
      select partition, position from webhook_delivery returning partition, up_to`);
    expect(await verified()).toEqual({ code: 0, named: {}, warnings: [excused(1, record!)] });
  }, 30_000);

  it('has no record after its migrations', async () => {
    const fresh = await createDatabase({ template: 'template1' });
    try {
      await migrate({ url: fresh.url, partitions: 2 });
      expect(await fresh.query('select from unsealed_deliveries')).toEqual([]);
    } finally {
      await fresh.drop();
    }
  });
});
