import { type PersonalDataCodec, secretTableOf } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';

export const SECRETS = 'secrets';
const PAGE = 1_000;
interface Stored extends Record<string, unknown> {
  readonly id: string;
  readonly value: Buffer;
}

/**
 * Every stored secret decrypts under its id, so that none was changed or copied from another row; and every secret that
 * a partner or a transaction refers to exists.
 */
export async function checkSecrets(
  database: Database,
  codec: PersonalDataCodec,
  findings: Findings,
  partition: number,
): Promise<void> {
  for await (const { id, value } of read(database, partition)) {
    findings.saw(SECRETS);
    try {
      codec.openSecret(id, value);
    } catch (error) {
      report(
        findings,
        partition,
        `secret ${id}`,
        'a value that was sealed for this id',
        show((error as Error).message),
      );
    }
  }
  for (const { id, owner } of await missing(database, partition)) {
    report(findings, partition, `${owner}, secret ${id}`, 'a secret', 'nothing');
  }
}

/** All but credentials, which `checkCredentials` examines. */
async function* read(database: Database, partition: number): AsyncGenerator<Stored, void, undefined> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await database.backgroundQuery<Stored>({
      name: `verify-secrets-${secretTableOf(partition)}`,
      text: `
        select id, value from ${secretTableOf(partition)} s
        where partition = $1 and id > $2
          and not exists (select from access_key where partition = $1 and id = s.id)
          and not exists (select from auditor where partition = $1 and id = s.id)
        order by id limit ${PAGE}`,
      values: [partition, after],
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

/** The first hundred missing ones: signing secrets of partners' webhooks, and values of custom headers. */
function missing(database: Database, partition: number): Promise<{ id: string; owner: string }[]> {
  return database.backgroundQuery({
    name: `verify-secrets-missing-${secretTableOf(partition)}`,
    text: `
      select n.id, n.owner
      from (
        select s ->> 'id' as id, 'partner ' || p.uid as owner
        from partner p cross join json_array_elements(p.webhook_secrets) as s
        where p.partition = $1
        union all
        select t.details -> 'webhook' -> 'header' ->> 'secretId', 'transaction ' || t.id
        from transaction t
        where t.partition = $1 and t.details is not null
        union all
        select w.header_secret::text, 'address of account ' || w.account_uid
        from account_webhook w
        where w.partition = $1
      ) as n
      left join ${secretTableOf(partition)} s on s.partition = $1 and s.id = n.id::uuid
      where n.id is not null and s.id is null
      limit 100`,
    values: [partition],
  });
}

function report(findings: Findings, partition: number, subject: string, expected: string, found: string): void {
  findings.report({
    check: SECRETS,
    partition,
    position: null,
    subject,
    field: `${secretTableOf(partition)}.value`,
    expected,
    found,
  });
}
