import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CreditAccount, OpenAccount, RegisterPartner, Registry, RotateWebhookSecret } from './accounts/index.js';
import { IssueAccessKey } from './auth/index.js';
import { EVENT_COLUMNS, parseEventRows, REGISTRY_PARTITION, toRecorded, withTexts } from './event-store/index.js';
import type { Database } from './platform/database/index.js';

const ACTOR = 'operator:demo';
const COMPANY = { name: 'Loja Exemplo Ltda', taxNumber: '11222333000181' };

const NAMES = ['Loja Exemplo, caixa', 'Loja Exemplo, reserva'];
/** Centavos. */
const FUNDS = [1_000_00n, 500_00n];
/** An arbitrary number: the advisory lock of the instance that makes the demo. */
const DEMO_LOCK = 7_239_102;

type Say = (line: string) => void;

/**
 * Development mode: an empty database gets a partner with two funded accounts and an access key, printed with lines to
 * paste. The next start completes an interrupted one. A database with other partners, or any access key, is not
 * changed.
 */
export async function prepareDemo(
  app: INestApplicationContext,
  database: Database,
  base: string,
  say: Say,
): Promise<void> {
  await database.transaction(async (client) => {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${DEMO_LOCK}) as taken`);
    if (rows[0]!.taken) await makeDemo(app, database, base, say);
  });
}

async function makeDemo(app: INestApplicationContext, database: Database, base: string, say: Say): Promise<void> {
  const [found] = await database.query<{ keys: boolean; partners: boolean }>({
    text: `
      select exists (select from access_key where partition = 0) as keys,
        exists (select from partner where partition = 0) as partners`,
  });
  if (found!.keys) return;
  const begun = found!.partners ? await partnerOfDemo(database) : undefined;
  if (found!.partners && begun === undefined) return;
  const commands = app.get(CommandBus);
  const partner = begun
    ? { uid: begun, ...(await commands.execute(new RotateWebhookSecret(begun, ACTOR))) }
    : await commands.execute(new RegisterPartner(COMPANY.name, COMPANY.taxNumber, ACTOR));
  const registry = app.get(Registry, { strict: false });
  const { homePartition } = await registry.partner(partner.uid);
  const opened = await database.query<{ uid: string; available: string }>({
    text: `
      select uid, available from account
      where partition = $1 and partner_uid = $2 and system is null order by opened_at, uid`,
    values: [homePartition, partner.uid],
  });
  const uids: string[] = [];
  for (const [i, name] of NAMES.entries()) {
    const uid =
      opened[i]?.uid ?? (await commands.execute(new OpenAccount(partner.uid, { ...COMPANY, name }, ACTOR))).uid;
    const isFunded = BigInt(opened[i]?.available ?? 0) > 0n;
    if (!isFunded) await commands.execute(new CreditAccount(uid, FUNDS[i]!, 'Demo funding', ACTOR));
    uids.push(uid);
  }
  const account = await registry.account(uids[0]!);
  const { accessKey, secret } = await commands.execute(new IssueAccessKey(account, { name: 'Demo' }, ACTOR));
  say(`
Demo partner "${COMPANY.name}" with two accounts, shown this once:
  access key      ${accessKey}
  secret          ${secret}
  webhook secret  ${partner.webhookSecret}

Try it:
  TOKEN=$(curl -s ${base}/partners-int/login -H 'Content-Type: application/json' \\
    -d '{"accessKey":"${accessKey}","secret":"${secret}"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${base}/partners-int/accounts -H "Authorization: Bearer $TOKEN"
  curl -s ${base}/partners-int/accounts/transfer -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' -H 'Idempotency-Key: demo-1' \\
    -d '{"refAccountCredit":"${uids[1]}","transferAmount":"10.50"}'
  curl -s ${base}/partners-int/accounts -H "Authorization: Bearer $TOKEN"
`);
}

/** The partner of an earlier start. */
async function partnerOfDemo(database: Database): Promise<string | undefined> {
  const rows = await database.query({
    text: withTexts(`
      select ${EVENT_COLUMNS} from event
      where partition = $1 and type = 'PartnerRegistered'
      order by position limit 100`),
    values: [REGISTRY_PARTITION],
  });
  const event = parseEventRows(rows)
    .map(toRecorded)
    .find(({ metadata }) => metadata.actor === ACTOR);
  return (event?.data as { uid: string } | undefined)?.uid;
}
