import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { AccessKeys } from '../../src/auth/access-keys.js';
import { AccessKeyIssued } from '../../src/auth/domain/access-key.events.js';
import { defineEvent, EventLog, Ledger, newId, REGISTRY_PARTITION, RegistryTail } from '../../src/event-store/index.js';
import { RecentEvents } from '../../src/event-store/log/recent-events.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
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

afterEach(() => {
  jest.restoreAllMocks();
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
  const told: unknown[] = [];
  one.app.get(Ledger).onLost((lost) => told.push(lost));
  for (const text of ['a', 'b', 'c']) await note(one, `lost ${text}`);
  await putBack();
  for (const text of ['a', 'b', 'c']) await note(other, `kept ${text}`);
  await note(one, 'after');
  const recent = one.app.get(RecentEvents, { strict: false });
  expect(recent.after(PARTITION, 0n, 10)).toEqual([]);
  const logged = await one.app.get(EventLog).readAfter(PARTITION, 3n, 10);
  expect(logged).toMatchObject([{ position: 4n, data: { text: 'after' } }]);
  expect(recent.after(PARTITION, 3n, 10)).toEqual(logged);
  expect(told).toEqual([{ partition: PARTITION, position: '3' }]);
  // Others listen too: the signer, for one.
  const { body } = await eventually(async () => {
    const answer = await one.app.inject({ url: '/health/ready' });
    return answer.statusCode === 503 && answer;
  });
  expect(body).toContain('this event was answered, and is gone');
});

it('a key is not let in that a process read before it followed the registry so far, and that is gone', async () => {
  const issue = async () => {
    const id = newId(REGISTRY_PARTITION);
    const owner = { accountUid: newId(PARTITION), partnerUid: newId(REGISTRY_PARTITION) };
    const data = { id, ...owner, name: null, permissions: [], expiresAt: null, allowedIps: null };
    await other.app.get(Ledger).execute({
      partition: REGISTRY_PARTITION,
      reads: {},
      creates: { accessKeys: [id] },
      decide: () => [AccessKeyIssued.create(`access-key-${id}`, 1, data)],
      metadata: { actor: 'test' },
    });
    return id;
  };
  const keys = one.app.get(AccessKeys, { strict: false });
  const tail = one.app.get(RegistryTail);
  const kept = await issue();
  await tail.catchUp();
  const [head] = await database.query('select * from log_head where partition = $1', [REGISTRY_PARTITION]);
  const { position, root, peaks, time } = head!;

  // Its polls are slow for a moment.
  const log = one.app.get(EventLog);
  const readAfter = log.readAfter.bind(log);
  let goOn = () => undefined as void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  jest.spyOn(log, 'readAfter').mockImplementation((...page) => held.then(() => readAfter(...page)));
  const lost = await issue();
  expect(await keys.find(lost)).toMatchObject({ status: 'Active' });

  await database.query('alter table event disable trigger all');
  await database.query('delete from event where partition = $1 and position > $2', [REGISTRY_PARTITION, position]);
  await database.query('alter table event enable trigger all');
  await database.query('update log_head set position = $2, root = $3, peaks = $4, time = $5 where partition = $1', [
    ...[REGISTRY_PARTITION, position, root, peaks, time],
  ]);
  await database.query('delete from access_key where id = $1', [lost]);
  goOn();
  await tail.catchUp();
  expect([await keys.find(kept), await keys.find(lost)]).toEqual([expect.objectContaining({ id: kept }), undefined]);
  // The process that has answered for it forgets it too.
  expect(await keys.find(await issue())).toMatchObject({ status: 'Active' });
});
