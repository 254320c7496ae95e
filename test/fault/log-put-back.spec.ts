import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { defineEvent, EventLog, Ledger, newId } from '../../src/event-store/index.js';
import { RecentEvents } from '../../src/event-store/log/recent-events.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type InProcess, startInProcess } from '../support/in-process.js';

/** A standby that lagged is promoted: what it never had is gone, and others append at the same positions. */

const Noted = defineEvent<{ text: string }>()('Noted', 'A test note.');
const PARTITION = 1;

let database: TestDatabase;
let one: InProcess;
let other: InProcess;

beforeAll(async () => {
  database = await createDatabase();
  one = await startInProcess(database);
  other = await startInProcess(database);
});

afterAll(async () => {
  await other.close();
  await one.close();
  await database.drop();
});

const note = (by: InProcess, text: string) =>
  by.app.get(Ledger).execute({
    partition: PARTITION,
    reads: {},
    decide: () => [Noted.create(`note-${newId(PARTITION)}`, 1, { text })],
    metadata: { actor: 'test' },
  });

/** Puts the partition back to before its first event, and ends the connections of those who wrote it. */
async function putBack(): Promise<void> {
  await database.query('alter table event disable trigger all');
  await database.query('delete from event where partition = $1', [PARTITION]);
  await database.query('alter table event enable trigger all');
  await database.query(
    `update log_head set position = 0, root = sha256(''), peaks = '', time = to_timestamp(0) where partition = $1`,
    [PARTITION],
  );
  await database.query('update subscription set position = 0 where partition = $1', [PARTITION]);
  await database.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'payments lane'`);
}

it('what is gone is not remembered when others took its places, and this process goes on behind them', async () => {
  for (const text of ['a', 'b', 'c']) await note(one, `lost ${text}`);
  await putBack();
  for (const text of ['a', 'b', 'c']) await note(other, `kept ${text}`);
  await note(one, 'after');
  const recent = one.app.get(RecentEvents, { strict: false });
  expect(recent.after(PARTITION, 0n, 10)).toEqual([]);
  const logged = await one.app.get(EventLog).readAfter(PARTITION, 3n, 10);
  expect(logged).toMatchObject([{ position: 4n, data: { text: 'after' } }]);
  expect(recent.after(PARTITION, 3n, 10)).toEqual(logged);
});
