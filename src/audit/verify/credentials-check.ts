import type { QueryResultRow } from 'pg';
import { credentialDigest } from '../../auth/index.js';
import { REGISTRY_PARTITION } from '../../event-store/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Findings } from './report.js';

interface Row extends QueryResultRow {
  readonly id: string;
  readonly credential: string | null;
  readonly stored: Buffer | null;
}

/** Who has a credential, by table: its rows are compared with the events by the replay. */
const OWNERS = { access_key: 'access key', auditor: 'auditor' } as const;
const PAGE = 1_000;

/**
 * The stored hash of every access key and auditor is the one whose digest the history carries: a row that was changed,
 * taken away, or copied from another's is named. Of those that the history has not bound yet no two may be the same.
 */
export async function checkCredentials(database: Database, findings: Findings): Promise<void> {
  const unbound = new Set<string>();
  for (const table of Object.keys(OWNERS) as (keyof typeof OWNERS)[]) {
    for await (const { id, credential, stored } of read(database, table)) {
      findings.saw('credentials');
      const found = stored === null ? 'nothing' : credentialDigest(stored);
      const isTheirs = credential === null ? !unbound.has(found) : credential === found;
      if (credential === null) unbound.add(found);
      if (stored !== null && isTheirs) continue;
      findings.report({
        check: 'credentials',
        partition: REGISTRY_PARTITION,
        position: null,
        subject: `${OWNERS[table]} ${id}`,
        field: 'secret.value',
        expected: credential ?? 'a keyed hash of its own',
        found,
      });
    }
  }
}

/** One statement has both, so that a log-in that binds a hash meanwhile is seen whole or not at all. */
async function* read(database: Database, table: keyof typeof OWNERS): AsyncGenerator<Row, void, undefined> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await database.backgroundQuery<Row>({
      name: `verify-credentials-${table}`,
      text: `
        select o.id, o.credential, s.value as stored
        from ${table} o left join secret s on s.partition = $1 and s.id = o.id
        where o.partition = $1 and o.id > $2
        order by o.id limit ${PAGE}`,
      values: [REGISTRY_PARTITION, after],
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
