import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { CreditAccount, OpenAccount, RegisterPartner } from '../../src/accounts/index.js';
import type { Principal } from '../../src/auth/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { RequestTransfer } from '../../src/transfers/commands/request-transfer/request-transfer.command.js';
import { assertLedgerSound } from '../support/audit.js';
import type { Database } from '../../src/platform/database/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type InProcess, startInProcess } from '../support/in-process.js';

/** A lane decides by its cache of the last commit (ADR 0008); here another process writes in between. */
let database: TestDatabase;
let one: InProcess;
let other: InProcess;
let caller: Principal;
let destination: string;
let third: Principal;
/** Called once, after the lane of `one` has read rows without a lock and before it writes by them. */
let meanwhile: (() => Promise<unknown>) | undefined;

const ACTOR = 'operator:test';
const holder = { name: 'Memória Ltda', taxNumber: '11222333000181' };

beforeAll(async () => {
  database = await createDatabase();
  one = await startInProcess(database);
  hookReads(one.database);
  other = await startInProcess(database);
  const commands = one.app.get(CommandBus);
  const { uid: partnerUid } = await commands.execute(new RegisterPartner(holder.name, holder.taxNumber, ACTOR));
  const { uid: accountUid } = await commands.execute(new OpenAccount(partnerUid, holder, ACTOR));
  destination = (await commands.execute(new OpenAccount(partnerUid, holder, ACTOR))).uid;
  caller = { accessKey: 'key', accountUid, partnerUid, partition: partitionOf(accountUid)!, permissions: [] };
  // `one` has nothing to do with it before its test.
  const { uid } = await other.app.get(CommandBus).execute(new OpenAccount(partnerUid, holder, ACTOR));
  third = { ...caller, accountUid: uid };
});

afterAll(async () => {
  await assertLedgerSound(database);
  await other.close();
  await one.close();
  await database.drop();
});

/** Detects reads without a lock of this database's lanes: a group that begins no transaction. */
function hookReads(service: Database): void {
  const open = service.openLane.bind(service);
  service.openLane = async () => {
    const connection = await open();
    const run = connection.run.bind(connection);
    connection.run = async (statements) => {
      const results = await run(statements);
      const hook = statements[0]!.name === 'account-load' ? meanwhile : undefined;
      if (hook) {
        meanwhile = undefined;
        await hook();
      }
      return results;
    };
    return connection;
  };
}

const credit = (by: InProcess, amount: bigint, accountUid = caller.accountUid) =>
  by.app.get(CommandBus).execute(new CreditAccount(accountUid, amount, 'Test', ACTOR));

const transfer = (by: InProcess, amount: bigint, key?: string, from = caller) =>
  by.app
    .get(CommandBus)
    .execute(
      new RequestTransfer(
        from,
        destination,
        amount,
        undefined,
        'test',
        key === undefined ? undefined : { key, request: String(amount) },
      ),
    );

async function available(accountUid = caller.accountUid): Promise<bigint> {
  const [row] = await database.query<{ available: string }>('select available from account where uid = $1', [
    accountUid,
  ]);
  return BigInt(row!.available);
}

describe('a lane with a cache', () => {
  it('sees what another process wrote meanwhile, and overwrites none of it', async () => {
    await credit(one, 1_000_000n);
    for (let round = 0; round < 10; round++) {
      await transfer(one, 10_000n);
      await transfer(one, 10_000n);
      await transfer(other, 10_000n);
    }
    expect(await available()).toBe(700_000n);
  });

  it('refuses no transfer for a balance that another process has raised', async () => {
    const rest = await available();
    await transfer(one, rest);
    await expect(transfer(one, 5_000n)).rejects.toThrow('does not cover the amount');
    await credit(other, 5_000n);
    await expect(transfer(one, 5_000n)).resolves.toMatchObject({ replayed: false });
  });

  it('gives the first answer to an idempotency key that another process was given', async () => {
    await credit(one, 100_000n);
    await transfer(one, 100n);
    const first = await transfer(other, 30_000n, 'one-key');
    // This process has every row of the command in its cache, but not the key.
    await expect(transfer(one, 100n)).resolves.toMatchObject({ replayed: false });
    const again = await transfer(one, 30_000n, 'one-key');
    expect(again).toEqual({ ...first, replayed: true });
    await expect(transfer(one, 30_100n, 'one-key')).rejects.toThrow('used with another request');
  });

  it('gives it also when the command would be refused by now', async () => {
    await credit(one, 50_000n);
    await transfer(one, 100n);
    const first = await transfer(other, 20_000n, 'late-key');
    await transfer(one, await available());
    expect(await transfer(one, 20_000n, 'late-key')).toEqual({ ...first, replayed: true });
  });

  it('both at once: every transfer counts once, whichever process decided it', async () => {
    await credit(one, 2_000_000n);
    const before = await available();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) => transfer(i % 2 === 0 ? one : other, 1_000n, `pair-${i >> 1}`)),
    );
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(100);
    expect(await available()).toBe(before - 100_000n);
  });

  it('reads rows that are not cached without a lock, and does not write by them when another process was faster', async () => {
    await credit(other, 1_000n, third.accountUid);
    await credit(one, 100_000n);
    // After it has found another writer it locks first, for a while.
    let raced = false;
    const spend = async () => {
      raced = true;
      await transfer(other, 600n, undefined, third);
    };
    for (let i = 0; i < 100; i++) await transfer(one, 100n);
    meanwhile = spend;
    await expect(transfer(one, 600n, undefined, third)).rejects.toThrow('does not cover the amount');
    expect(raced).toBe(true);
    expect(await available(third.accountUid)).toBe(400n);
    await expect(transfer(one, 400n, undefined, third)).resolves.toMatchObject({ replayed: false });
    expect(await available(third.accountUid)).toBe(0n);
  });

  it('forgets when rows were corrected under it, as a rebuild counts it', async () => {
    await credit(one, 10_000n);
    await transfer(one, 100n);
    const before = await available();
    await database.query('update account set available = available + 500 where uid = $1', [caller.accountUid]);
    await database.query('update log_head set corrections = corrections + 1 where partition = $1', [caller.partition]);
    await transfer(one, 100n);
    expect(await available()).toBe(before + 400n);
    // Put right again, for the ledger to be sound.
    await database.query('update account set available = available - 500 where uid = $1', [caller.accountUid]);
    await database.query('update log_head set corrections = corrections + 1 where partition = $1', [caller.partition]);
  });
});
