import type { INestApplicationContext } from '@nestjs/common';
import { cnpj } from './seed.ts';

/** The built code, with the types of its sources. */
const built = (path: string) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
const { createApplication } = (await built('application.js')) as typeof import('../src/application.js');
const config = (await built('platform/config/index.js')) as typeof import('../src/platform/config/index.js');
const databases = (await built('platform/database/index.js')) as typeof import('../src/platform/database/index.js');
const accounts = (await built('accounts/index.js')) as typeof import('../src/accounts/index.js');
const { RequestTransfer } = (await built(
  'transfers/commands/request-transfer/request-transfer.command.js',
)) as typeof import('../src/transfers/commands/request-transfer/request-transfer.command.js');
const { CommandBus } = await import('@nestjs/cqrs');

/** As many as one batch has: more would be refused on a slow machine. */
const CONCURRENCY = 250;
const ACTOR = 'operator:bench';
const COMPANY = { name: 'Bench Ltda', taxNumber: '11444777000161' };

/** A ledger in this process: commands go through the kernel, its lanes and its hashing, without HTTP. */
export interface BenchLedger {
  readonly partition: number;
  readonly accounts: readonly string[];
  /** Transfers between the accounts, half of them with an idempotency key. @returns how many a second */
  append(count: number): Promise<number>;
  stop(): Promise<void>;
}

/** The service in this process, without its server. */
async function openApplication(url: string, env: Record<string, string>) {
  const { config: settings } = await config.completeSecrets(
    config.readSettings({ ...env, DATABASE_URL: url, LOG_LEVEL: 'error' }),
  );
  await databases.migrate({ url, partitions: settings.partitions });
  const database = new databases.Database(url, () => undefined);
  const app = await createApplication(settings, database);
  await app.init();
  const stop = async () => {
    await app.close();
    await database.close();
  };
  return { app, stop };
}

/** Partners with funded accounts, many at once. @returns the accounts of each */
export async function openAccounts(
  url: string,
  env: Record<string, string>,
  partners: number,
  accountsEach: number,
): Promise<(readonly string[])[]> {
  const { app, stop } = await openApplication(url, env);
  const opened: string[][] = [];
  const worker = async () => {
    while (opened.length < partners) {
      const uids: string[] = [];
      const taxNumber = cnpj(opened.push(uids));
      uids.push(...(await partnerWithAccounts(app, accountsEach, taxNumber)).uids);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await stop();
  return opened;
}

export async function openLedger(url: string, env: Record<string, string>, accountCount: number): Promise<BenchLedger> {
  const { app, stop } = await openApplication(url, env);
  const { partnerUid, uids } = await partnerWithAccounts(app, accountCount);
  const partition = Number.parseInt(uids[0]!.slice(15, 18), 16);
  let begun = 0;
  return {
    partition,
    accounts: uids,
    append: async (count) => {
      const commands = app.get(CommandBus);
      const end = begun + count;
      const started = performance.now();
      const worker = async () => {
        while (begun < end) {
          const n = begun++;
          const accountUid = uids[n % uids.length]!;
          const destination = uids[(n + 1 + (n % 7)) % uids.length]!;
          const caller = { accessKey: accountUid, accountUid, partnerUid, partition, permissions: [] };
          const idempotency = n % 2 === 0 ? { key: `bench-${n}`, request: `transfer ${n}` } : undefined;
          await commands.execute(new RequestTransfer(caller, destination, 100n, undefined, 'bench', idempotency));
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      return (count * 1000) / (performance.now() - started);
    },
    stop,
  };
}

async function partnerWithAccounts(app: INestApplicationContext, count: number, taxNumber = COMPANY.taxNumber) {
  const company = { ...COMPANY, taxNumber };
  const commands = app.get(CommandBus);
  const { uid } = await commands.execute(new accounts.RegisterPartner(company.name, taxNumber, ACTOR));
  const uids: string[] = [];
  for (let i = 0; i < count; i++) {
    const account = await commands.execute(new accounts.OpenAccount(uid, company, ACTOR));
    await commands.execute(new accounts.CreditAccount(account.uid, 1_000_000_00n, 'Bench', ACTOR));
    uids.push(account.uid);
  }
  return { partnerUid: uid, uids };
}
