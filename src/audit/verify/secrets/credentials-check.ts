import { hash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { StoredCredentials } from '../../../auth/index.js';
import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

interface Row extends QueryResultRow {
  readonly id: string;
  readonly bound: boolean;
  readonly stored: Buffer | null;
}

export const CREDENTIALS = 'credentials';

/** Owners of credentials, by table; the replay compares these rows with the events. */
const OWNERS = { access_key: 'access key', auditor: 'auditor' } as const;
const PAGE = 1_000;

/**
 * The stored hash of every access key and auditor was made for its owner: a changed, missing or copied one is reported.
 * Of those that no event has bound to their owner yet, no two may be equal.
 */
export async function checkCredentials(
  database: Database,
  credentials: StoredCredentials,
  findings: Findings,
): Promise<void> {
  const unbound = new Set<string>();
  for (const table of Object.keys(OWNERS) as (keyof typeof OWNERS)[]) {
    for await (const { id, bound, stored } of read(database, table)) {
      findings.saw(CREDENTIALS);
      const found = stored === null ? 'nothing' : hash('sha256', stored);
      const isOwn = stored !== null && (bound ? credentials.isOf(stored, id) : !unbound.has(found));
      if (!bound) unbound.add(found);
      if (isOwn) continue;
      findings.report({
        check: CREDENTIALS,
        partition: REGISTRY_PARTITION,
        position: null,
        subject: `${OWNERS[table]} ${id}`,
        field: 'registry_secret.value',
        expected: bound ? 'a keyed hash that was made for this owner' : 'a keyed hash of its own',
        found: stored === null ? found : `a row with the digest ${found}`,
      });
    }
  }
}

/** One statement reads both, so that a login that binds a hash meanwhile is seen completely or not at all. */
async function* read(database: Database, table: keyof typeof OWNERS): AsyncGenerator<Row, void, undefined> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await database.backgroundQuery<Row>({
      name: `verify-credentials-${table}`,
      text: `
        select o.id, o.bound, s.value as stored
        from ${table} o left join registry_secret s on s.partition = $1 and s.id = o.id
        where o.partition = $1 and o.id > $2
        order by o.id limit ${PAGE}`,
      values: [REGISTRY_PARTITION, after],
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
