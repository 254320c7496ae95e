import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';

/**
 * Has the sweep of the rail due at this time, in SQL. One that is in progress would overwrite that with its own result.
 */
export function sweepAt(database: TestDatabase, time = 'now()'): Promise<unknown> {
  return eventually(async () => {
    const swept = await database.query(
      `update work set due_at = ${time} where kind = 'pix-sweep' and lease is null returning id`,
    );
    return swept.length > 0;
  });
}
