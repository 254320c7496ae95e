import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { CreditAccount, OpenAccount, PlaceHold, RegisterPartner, Registry } from '../../src/accounts/index.js';
import { previewOn } from '../../src/accounts/queries/dry-run/dry-run-view.js';
import { partitionOf } from '../../src/event-store/index.js';
import { AppError } from '../../src/platform/errors/index.js';
import { RequestTransfer } from '../../src/transfers/commands/request-transfer/request-transfer.command.js';
import { RequestTransfers } from '../../src/transfers/commands/request-transfers/request-transfers.command.js';
import { nextCnpj } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { type InProcessOwning, liveRows, replayedRows, startWithDatabase } from '../support/in-process.js';

let service: InProcessOwning;
let commands: CommandBus;

beforeAll(async () => {
  service = await startWithDatabase();
  commands = service.app.get(CommandBus);
});

afterAll(() => service.close());

const ACTOR = 'operator:test';
const ACCOUNTS = 3;
const FAR = new Date('2100-01-01T00:00:00.000Z');

interface Item {
  readonly to: number;
  readonly amount: bigint;
  readonly key: number;
  readonly description: string | undefined;
}

const item: fc.Arbitrary<Item> = fc.record({
  to: fc.nat(ACCOUNTS - 1),
  amount: fc.bigInt(50n, 3_000n),
  key: fc.nat(30),
  description: fc.option(fc.constantFrom('Aluguel', 'Ação'), { nil: undefined }),
});
const batch = fc.uniqueArray(item, { minLength: 1, maxLength: 12, selector: ({ key }) => key });

/** A partner of its own, with money, and an account that a hold waits on. */
async function world() {
  const taxNumber = nextCnpj();
  const { uid: partnerUid } = await commands.execute(new RegisterPartner('Teste', taxNumber, ACTOR));
  const uids: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    uids.push((await commands.execute(new OpenAccount(partnerUid, { name: 'Teste', taxNumber }, ACTOR))).uid);
  }
  const [accountUid] = uids as [string];
  await commands.execute(new CreditAccount(accountUid, 10_000n, 'Teste', ACTOR));
  const order = { amount: 1_500n, cause: 'Judicial' as const, reference: 'R', retryUntil: FAR };
  await commands.execute(new PlaceHold(uids[1]!, order, ACTOR));
  const caller = { accessKey: 'k', accountUid, partnerUid, partition: partitionOf(accountUid)!, permissions: [] };
  const ofItem = ({ to, amount, key, description }: Item) => ({
    destinationUid: uids[to]!,
    amount,
    description,
    idempotency: { key: `k-${key}`, request: JSON.stringify([to, `${amount}`, description]) },
  });
  const balances = async () => {
    const registry = service.app.get(Registry, { strict: false });
    const accounts = await Promise.all(uids.map((uid) => registry.account(uid)));
    return accounts.map(({ available, held, blocked }) => ({ available, held, blocked }));
  };
  return { caller, ofItem, balances };
}

type World = Awaited<ReturnType<typeof world>>;

const told = (result: { replayed: boolean } | AppError) =>
  result instanceof AppError ? [result.status, reasonOf(result)] : [201, result.replayed];
const reasonOf = (error: AppError) => (error as unknown as { details?: { reason?: string } }).details?.reason;

const run = ({ caller, ofItem }: World, items: readonly Item[], mode: 'independent' | 'atomic' = 'independent') =>
  commands.execute(new RequestTransfers(caller, mode, items.map(ofItem), 'r', undefined));

async function runSingly({ caller, ofItem }: World, items: readonly Item[]) {
  const results: ({ replayed: boolean } | AppError)[] = [];
  for (const one of items) {
    const { destinationUid, amount, description, idempotency } = ofItem(one);
    const command = new RequestTransfer(caller, destinationUid, amount, description, 'r', idempotency);
    results.push(await commands.execute(command).catch(refusal));
  }
  return results;
}

function refusal(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}

describe('batches of transfers', () => {
  it('do what their items do one after another, and what was told before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 3 }), async (batches) => {
        const [together, apart] = [await world(), await world()];
        for (const items of batches) {
          expect((await run(together, items)).map(told)).toEqual((await runSingly(apart, items)).map(told));
          expect(await together.balances()).toEqual(await apart.balances());
        }
        await assertLedgerSound(service.owner);
      }),
      { numRuns: 15 },
    );
    expect(await liveRows(service)).toEqual(await replayedRows(service));
  }, 120_000);

  it('that are atomic are done whole or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (items) => {
        const [together, apart] = [await world(), await world()];
        const before = await together.balances();
        const [results, expected] = [await run(together, items, 'atomic'), await runSingly(apart, items)];
        const first = expected.findIndex((one) => one instanceof AppError);
        if (first < 0) {
          expect(results.map(told)).toEqual(expected.map(told));
          expect(await together.balances()).toEqual(await apart.balances());
        } else {
          expect(results.map(told)).toEqual(
            items.map((_, i) => (i === first ? told(expected[first]!) : [422, 'NotApplied'])),
          );
          expect(await together.balances()).toEqual(before);
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});

describe('dry runs', () => {
  it('say what the run then does: its refusal, or its postings and balances', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 3, maxLength: 12 }), async (items) => {
        const place = await world();
        const { caller, ofItem } = place;
        for (const one of items) {
          const { destinationUid, amount, description, idempotency } = ofItem(one);
          const preview = previewOn(caller.accountUid, caller.partnerUid);
          const make = (only?: typeof preview) =>
            commands
              .execute(new RequestTransfer(caller, destinationUid, amount, description, 'r', idempotency, only))
              .catch(refusal);
          const before = await place.balances();
          const dry = await make(preview);
          expect(await place.balances()).toEqual(before);
          const wet = await make();
          expect(told(dry)).toEqual(told(wet));
          if (dry instanceof AppError) continue;
          const { available } = (await place.balances())[0]!;
          const shown = preview.of(idempotency.key);
          expect(BigInt(shown.balance.available.replace('.', ''))).toBe(available);
          if (shown.replayed) expect(shown.postings).toEqual([]);
          else
            expect(shown.postings).toMatchObject([
              { bucket: 'available' },
              { account: destinationUid },
              ...after(shown),
            ]);
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});

/** What a hold takes of it stands behind the transfer's own two. */
const after = ({ postings }: { postings: readonly { bucket: string }[] }) =>
  postings.slice(2).map((_, i) => ({ bucket: i % 2 === 0 ? 'available' : 'blocked' }));
