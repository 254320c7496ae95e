import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Append, defineEvent, Ledger, newId, RowsWanted } from '../../src/event-store/index.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type InProcess, startInProcess } from '../support/in-process.js';

const Remarked = defineEvent<{ text: string }>()('Remarked', 'A test note.');
const PARTITION = 1;
/** Commands of one request in one batch, where nobody waits for a single command. */
const BATCH = 5;

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: InProcess;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  service = await startInProcess({ ...database, url: proxy.url }, { LEDGER_BATCH_SIZE: '2' });
}, 60_000);

afterAll(async () => {
  await service?.close();
  await proxy?.stop();
  await database?.drop();
});

const remark = (reads: Append['reads'], decide?: Append['decide']): Append => {
  const stream = `remark-${newId(PARTITION)}`;
  const made = [Remarked.create(stream, 1, { text: 'x' })];
  return { partition: PARTITION, reads, decide: decide ?? (() => made), metadata: { actor: 'test' } };
};

describe('a request of many, one of which wants rows', () => {
  it('tells what was done of it when the database goes away before the rows are read', async () => {
    const account = newId(PARTITION);
    const wants = remark({}, (_rows, _at, context) => {
      if (context.isRead('accounts', account)) return [];
      proxy.refuse(true);
      throw new RowsWanted({ accounts: [account] });
    });
    const before = Array.from({ length: BATCH }, () => remark({}));
    const beside = Array.from({ length: BATCH - 1 }, () => remark({}));
    const behind = Array.from({ length: BATCH }, () => remark({ accounts: [newId(PARTITION)] }));
    try {
      const results = await service.app
        .get(Ledger)
        .executeAll([...before, wants, ...beside, ...behind], { owner: 'o', atomic: false });
      expect(results.map((result) => ('events' in result ? 'done' : result.name))).toEqual([
        ...before.map(() => 'done'),
        ...[wants, ...beside, ...behind].map(() => 'ServiceUnavailable'),
      ]);
    } finally {
      proxy.refuse(false);
    }
    await assertLedgerSound(database);
  }, 40_000);

  it('is decided twice where ten of an atomic one want rows each', async () => {
    let rounds = 0;
    const first = remark({}, () => {
      rounds += 1;
      return [];
    });
    const wanting = Array.from({ length: 10 }, () => {
      const account = newId(PARTITION);
      const stream = `remark-${newId(PARTITION)}`;
      return remark({}, (_rows, _at, context) => {
        if (!context.isRead('accounts', account)) throw new RowsWanted({ accounts: [account] });
        return [Remarked.create(stream, 1, { text: 'x' })];
      });
    });
    const results = await service.app.get(Ledger).executeAll([first, ...wanting], { owner: 'o', atomic: true });
    expect(results.map((result) => ('events' in result ? result.events.length : result.name))).toEqual([
      0,
      ...wanting.map(() => 1),
    ]);
    expect(rounds).toBe(2);
  });
});
