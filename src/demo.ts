import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CreditAccount, OpenAccount, RegisterPartner, Registry } from './accounts/index.js';
import { IssueAccessKey } from './auth/index.js';
import type { Database } from './platform/database/index.js';
import { ConflictError } from './platform/errors/index.js';

const ACTOR = 'operator:demo';
const COMPANY = { name: 'Loja Exemplo Ltda', taxNumber: '11222333000181' };

/**
 * Development mode: an empty database gets a partner with two funded accounts and an access key, printed with
 * lines to paste. A database that has partners is left alone.
 */
export async function prepareDemo(
  app: INestApplicationContext,
  database: Database,
  base: string,
  say: (line: string) => void,
): Promise<void> {
  const [found] = await database.query<{ some: boolean }>({
    text: 'select exists (select from partner where partition = 0) as some',
  });
  if (found!.some) return;
  const commands = app.get(CommandBus);
  const partner = await commands
    .execute(new RegisterPartner(COMPANY.name, COMPANY.taxNumber, ACTOR))
    .catch((error: unknown) => {
      // Another instance that started at the same moment is making it.
      if (error instanceof ConflictError) return undefined;
      throw error;
    });
  if (!partner) return;
  const [first, second] = [
    await commands.execute(new OpenAccount(partner.uid, { ...COMPANY, name: 'Loja Exemplo, caixa' }, ACTOR)),
    await commands.execute(new OpenAccount(partner.uid, { ...COMPANY, name: 'Loja Exemplo, reserva' }, ACTOR)),
  ];
  await commands.execute(new CreditAccount(first.uid, 1_000_00n, 'Demo funding', ACTOR));
  await commands.execute(new CreditAccount(second.uid, 500_00n, 'Demo funding', ACTOR));
  const account = await app.get(Registry, { strict: false }).account(first.uid);
  const { accessKey, secret } = await commands.execute(new IssueAccessKey(account, { name: 'Demo' }, ACTOR));
  say(`
Demo partner "${partner.name}" with two accounts, shown this once:
  access key      ${accessKey}
  secret          ${secret}
  webhook secret  ${partner.webhookSecret}

Try it:
  TOKEN=$(curl -s ${base}/partners-int/login -H 'Content-Type: application/json' \\
    -d '{"accessKey":"${accessKey}","secret":"${secret}"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${base}/partners-int/accounts -H "Authorization: Bearer $TOKEN"
  curl -s ${base}/partners-int/accounts/transfer -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' -H 'Idempotency-Key: demo-1' \\
    -d '{"refAccountCredit":"${second.uid}","transferAmount":"10.50"}'
  curl -s ${base}/partners-int/accounts -H "Authorization: Bearer $TOKEN"
`);
}
