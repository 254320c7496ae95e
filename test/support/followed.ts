import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';

/** Waits until every follower has read the whole log: then read models show, and sagas have queued, what was done. */
export async function followed(database: Pick<TestDatabase, 'query'>): Promise<void> {
  await eventually(async () => {
    const rows = await database.query<{ behind: boolean }>(`
      select h.position > coalesce(s.position, 0) as behind
      from log_head h cross join (select distinct consumer from subscription) c
      left join subscription s on s.partition = h.partition and s.consumer = c.consumer`);
    return rows.length > 0 && rows.every(({ behind }) => !behind);
  });
}
