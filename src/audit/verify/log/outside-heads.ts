import type { Database } from '../../../platform/database/index.js';
import { RIGHTS } from '../guards/rights.js';
import { type Findings, KEPT } from '../report.js';

/**
 * Events beyond the partition's head: other checks end at the head and would miss them. One statement reads both, so
 * that a batch that commits meanwhile is seen with its head, or not at all.
 */
export async function checkBeyondHead(database: Database, partition: number, findings: Findings): Promise<void> {
  const beyond = await database.backgroundQuery<{ position: string; head: string; type: string }>({
    name: 'verify-beyond-head',
    text: `
      select e.position, h.position as head, e.type
      from log_head h join event e on e.partition = $1 and e.position > h.position
      where h.partition = $1
      order by e.position limit 100`,
    values: [partition],
  });
  for (const { position, head, type } of beyond) {
    findings.report({
      check: 'positions',
      partition,
      position: BigInt(position),
      subject: null,
      field: 'position',
      expected: `no event beyond the head, which is at ${head}`,
      found: type,
    });
  }
}

/** Followers whose checkpoint is beyond the head: they would skip the events that come there. */
export async function checkFollowersBeyondHead(
  database: Database,
  partition: number,
  findings: Findings,
): Promise<void> {
  const followers = await database.backgroundQuery<{ consumer: string; position: string; head: string }>({
    name: 'verify-followers',
    text: `
      select s.consumer, s.position, h.position as head
      from subscription s join log_head h on h.partition = $1
      where s.partition = $1`,
    values: [partition],
  });
  findings.saw('rows of subscriptions', followers.length);
  for (const { consumer, position, head } of followers) {
    if (BigInt(position) <= BigInt(head)) continue;
    findings.report({
      ...{ check: 'rows of subscriptions', partition, position: null, subject: `follower ${consumer}` },
      ...{ field: 'position', expected: `at most the head's ${head}`, found: position },
    });
  }
}

/** Rows of partitions that have no head. Of the migrations' tables: others may stand beside them, unread. */
export async function checkWithoutHead(database: Database, findings: Findings): Promise<void> {
  const tables = await database.backgroundQuery<{ name: string }>({
    name: 'verify-partitioned-tables',
    text: `
      select c.relname as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'partition' and not a.attisdropped
      where c.relkind in ('r', 'p') and c.relname <> 'log_head' and c.relname = any($1::text[])
      order by c.relname`,
    values: [Object.keys(RIGHTS)],
  });
  for (const { name } of tables) {
    let told = 0;
    for await (const partition of partitionsIn(database, name)) {
      const [head] = await database.backgroundQuery({
        name: 'verify-head-of',
        text: 'select from log_head where partition = $1',
        values: [partition],
      });
      findings.saw('tables by partition');
      if (head) continue;
      // Somebody may have added rows of as many partitions as there are numbers.
      if ((told += 1) > KEPT) break;
      findings.report({
        check: 'partitions',
        partition,
        position: null,
        subject: `table ${name}`,
        field: 'head',
        expected: 'a head',
        found: `rows of a partition that has none`,
      });
    }
  }
}

/** Every primary key begins with the partition, so each step is one index look-up. */
async function* partitionsIn(database: Database, table: string): AsyncGenerator<number, void, undefined> {
  for (let after = -2_147_483_648; ;) {
    const [row] = await database.backgroundQuery<{ partition: number }>({
      name: `verify-partitions-of-${table}`,
      text: `select partition from ${table} where partition > $1 order by partition limit 1`,
      values: [after],
    });
    if (!row) return;
    yield row.partition;
    after = row.partition;
  }
}
