import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import {
  CreditAccount,
  ExecuteHold,
  OpenAccount,
  PlaceHold,
  RegisterPartner,
  Registry,
  ReleaseHold,
} from '../../src/accounts/index.js';
import { blockedBy, type Hold } from '../../src/accounts/domain/hold.js';
import { holdTable } from '../../src/accounts/hold.projection.js';
import type { Principal } from '../../src/auth/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { RequestCashOut } from '../../src/pix/commands/request-cash-out/request-cash-out.command.js';
import { SettleCashOut } from '../../src/pix/commands/settle-cash-out/settle-cash-out.command.js';
import { PixTransactions } from '../../src/pix/transactions/pix-transactions.js';
import { AppError } from '../../src/platform/errors/index.js';
import { RequestTransfer } from '../../src/transfers/commands/request-transfer/request-transfer.command.js';
import { nextCnpj } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { type InProcessOwning, liveRows, replayedRows, startWithDatabase } from '../support/in-process.js';

let service: InProcessOwning;
let commands: CommandBus;

beforeAll(async () => {
  // No worker: payouts end when the test says so.
  service = await startWithDatabase({ ROLE: 'api' });
  commands = service.app.get(CommandBus);
});

afterAll(() => service.close());

const ACTOR = 'operator:test';
const FAR = new Date('2100-01-01T00:00:00Z');

interface ModelHold {
  readonly id: string;
  readonly amount: bigint;
  readonly waits: boolean;
  filled: bigint;
  blocked: bigint;
  closed: boolean;
}

interface ModelAccount {
  available: bigint;
  held: bigint;
  readonly holds: ModelHold[];
}

/** The simplest ledger with holds that could be right. */
class Model {
  readonly accounts: ModelAccount[] = [];
  readonly payouts: { id: string; account: number; amount: bigint; open: boolean }[] = [];

  constructor(count: number) {
    for (let i = 0; i < count; i++) this.accounts.push({ available: 0n, held: 0n, holds: [] });
  }

  /** Money comes in, from outside or from another bucket; waiting holds take it, older ones first. */
  comesIn(to: number, amount: bigint, except?: ModelHold): void {
    const account = this.accounts[to]!;
    let left = amount;
    for (const hold of account.holds) {
      if (!hold.waits || hold.closed || hold === except) continue;
      const wanted = hold.amount - hold.filled;
      const taken = wanted < left ? wanted : left;
      hold.filled += taken;
      hold.blocked += taken;
      left -= taken;
    }
    account.available += left;
  }

  place(at: number, id: string, amount: bigint, waits: boolean): void {
    const account = this.accounts[at]!;
    const taken = account.available < amount ? account.available : amount;
    account.available -= taken;
    account.holds.push({ id, amount, waits, filled: taken, blocked: taken, closed: taken === 0n && !waits });
  }

  /** @returns whether it is allowed */
  takes(hold: ModelHold, amount: bigint | undefined): boolean {
    return !hold.closed && (amount ?? 0n) <= hold.blocked;
  }

  take(hold: ModelHold, amount: bigint, ends: boolean): void {
    hold.blocked -= amount;
    hold.closed = ends || (hold.blocked === 0n && !(hold.waits && hold.filled < hold.amount));
  }
}

const ACCOUNTS = 2;
const account = fc.nat(ACCOUNTS - 1);
const amount = fc.bigInt(1n, 300n);
const nth = fc.nat(20);
/** Another one of the same is a repetition, where the request is the same too. */
const key = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined, freq: 2 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('credit' as const), to: account, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('transfer' as const), from: account, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('payout' as const), from: account, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('payoutEnds' as const), nth, comesBack: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('place' as const), at: account, amount, waits: fc.boolean(), key }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      at: account,
      nth,
      amount: fc.option(amount, { nil: undefined }),
      key,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('execute' as const), at: account, nth, amount, key }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A partner with accounts, the model of them, and what keys were used for. */
class Play {
  readonly model = new Model(ACCOUNTS);
  readonly #keys = new Map<string, { readonly request: string; readonly answer: unknown }>();
  #orders = 0;

  private constructor(
    readonly partnerUid: string,
    readonly uids: readonly string[],
  ) {}

  static async begin(): Promise<Play> {
    const taxNumber = nextCnpj();
    const { uid } = await commands.execute(new RegisterPartner('Teste', taxNumber, ACTOR));
    const uids: string[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      uids.push((await commands.execute(new OpenAccount(uid, { name: 'Teste', taxNumber }, ACTOR))).uid);
    }
    return new Play(uid, uids);
  }

  caller(at: number): Principal {
    const accountUid = this.uids[at]!;
    const partition = partitionOf(accountUid)!;
    return { accessKey: 'k', accountUid, partnerUid: this.partnerUid, partition, permissions: [] };
  }

  async step(one: Step): Promise<void> {
    switch (one.kind) {
      case 'credit':
        await commands.execute(new CreditAccount(this.uids[one.to]!, one.amount, 'Teste', ACTOR));
        return this.model.comesIn(one.to, one.amount);
      case 'transfer':
        return this.#transfer(one.from, one.amount);
      case 'payout':
        return this.#payout(one.from, one.amount);
      case 'payoutEnds':
        return this.#payoutEnds(one.nth, one.comesBack);
      case 'place':
        return this.#place(one);
      case 'release':
      case 'execute':
        return this.#leaves(one);
    }
  }

  async #transfer(from: number, value: bigint): Promise<void> {
    const to = (from + 1) % ACCOUNTS;
    const [source, cents] = [this.model.accounts[from]!, value + 100n];
    const run = new RequestTransfer(this.caller(from), this.uids[to]!, cents, undefined, 'r', undefined);
    const done = await accepted(commands.execute(run));
    expect(done !== undefined).toBe(source.available >= cents);
    if (!done) return;
    source.available -= cents;
    this.model.comesIn(to, cents);
  }

  async #payout(from: number, value: bigint): Promise<void> {
    const source = this.model.accounts[from]!;
    const key = { type: 'EMAIL' as const, value: 'ana@example.com' };
    const recipient = { name: 'Ana', taxNumber: '52998224725', key };
    const cashOut = {
      payment: { method: 'Key' as const, amount: value, recipient },
      orderId: `o-${(this.#orders += 1)}`,
      orderDescription: undefined,
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    };
    const done = await accepted(
      commands.execute(new RequestCashOut(this.caller(from), cashOut as never, 'r', undefined)),
    );
    expect(done !== undefined).toBe(source.available >= value);
    if (!done) return;
    source.available -= value;
    source.held += value;
    this.model.payouts.push({ id: done.transaction.id, account: from, amount: value, open: true });
  }

  async #payoutEnds(n: number, comesBack: boolean): Promise<void> {
    const open = this.model.payouts.filter((one) => one.open);
    const payout = open[n % open.length];
    if (!payout) return;
    const located = await service.app.get(PixTransactions, { strict: false }).byId(payout.id);
    const outcome = comesBack ? { status: 'Rejected', code: 'AC03' } : { status: 'Settled', at: new Date(), payee: {} };
    await commands.execute(new SettleCashOut(located!, outcome as never));
    payout.open = false;
    this.model.accounts[payout.account]!.held -= payout.amount;
    if (comesBack) this.model.comesIn(payout.account, payout.amount);
  }

  async #place({ at, amount: wanted, waits, key }: Extract<Step, { kind: 'place' }>): Promise<void> {
    const order = { amount: wanted, cause: 'Judicial' as const, reference: 'R' };
    const run = (idempotency: { key: string; request: string } | undefined) =>
      new PlaceHold(this.uids[at]!, { ...order, ...(waits && { retryUntil: FAR }) }, ACTOR, 'r', idempotency);
    await this.#once(at, key, `place ${wanted} ${waits}`, true, run, ({ hold }: any) =>
      this.model.place(at, hold.id, wanted, waits),
    );
  }

  async #leaves(one: Extract<Step, { kind: 'release' | 'execute' }>): Promise<void> {
    const { holds } = this.model.accounts[one.at]!;
    const hold = holds[one.nth % holds.length];
    if (!hold) return;
    const uid = this.uids[one.at]!;
    const request = `${one.kind} ${hold.id} ${one.amount ?? 'all'}`;
    const run = (idempotency: { key: string; request: string } | undefined) =>
      one.kind === 'release'
        ? new ReleaseHold(uid, hold.id, one.amount, ACTOR, 'r', idempotency)
        : new ExecuteHold(uid, hold.id, one.amount, { kind: 'MedReturn', reference: 'D1' }, ACTOR, 'r', idempotency);
    await this.#once(one.at, one.key, request, this.model.takes(hold, one.amount), run, () => {
      const taken = one.amount ?? hold.blocked;
      this.model.take(hold, taken, one.kind === 'release' && one.amount === undefined);
      if (one.kind === 'release') this.model.comesIn(one.at, taken, hold);
    });
  }

  /** A key's second use with the same request gives the first answer, with another one is refused; neither does anything. */
  async #once(
    at: number,
    key: string | undefined,
    request: string,
    isAllowed: boolean,
    run: (idempotency: { key: string; request: string } | undefined) => any,
    then: (answer: any) => void,
  ): Promise<void> {
    const scoped = key && `${at}/${key}`;
    const earlier = scoped ? this.#keys.get(scoped) : undefined;
    const answer: any = await accepted(commands.execute(run(key === undefined ? undefined : { key, request })));
    if (earlier) {
      if (earlier.request !== request) return expect(answer).toBeUndefined();
      const { replayed, ...same } = answer;
      expect({ replayed, same }).toEqual({ replayed: true, same: earlier.answer });
      return;
    }
    expect(answer !== undefined).toBe(isAllowed);
    if (!answer) return;
    const { replayed: _, ...same } = answer;
    if (scoped) this.#keys.set(scoped, { request, answer: same });
    then(answer);
  }

  async assertAsModelled(): Promise<void> {
    const registry = service.app.get(Registry, { strict: false });
    for (const [i, uid] of this.uids.entries()) {
      const { available, held, holds } = this.model.accounts[i]!;
      const live = await registry.account(uid);
      const blocked = holds.reduce((sum, hold) => sum + hold.blocked, 0n);
      expect({ available: live.available, held: live.held, blocked: live.blocked }).toEqual({
        available,
        held,
        blocked,
      });
      const rows = await holdsOf(uid);
      expect(
        rows.map(({ id, filled, status, ...hold }) => [id, filled, blockedBy({ filled, ...hold } as Hold), status]),
      ).toEqual(holds.map((hold) => [hold.id, hold.filled, hold.blocked, hold.closed ? 'Closed' : 'Open']));
      for (const { filled, amount: most } of rows) expect(filled <= most).toBe(true);
      const waiting = holds.filter((hold) => hold.waits && !hold.closed && hold.filled < hold.amount);
      expect((live.filling ?? []).map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
    }
  }
}

async function holdsOf(uid: string): Promise<Hold[]> {
  const rows = await service.database.query({
    name: 'holds-of-test',
    text: `select ${holdTable.columns} from hold where partition = $1 and account_uid = $2`,
    values: [partitionOf(uid)!, uid],
  });
  return rows.map(holdTable.parse);
}

async function accepted<T>(command: Promise<T>): Promise<T | undefined> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}

describe('holds, credits and payments in any order', () => {
  it('are what a simple model says after each, no hold exceeds its amount, and live equals replayed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const play = await Play.begin();
        for (const one of steps) {
          await play.step(one);
          await play.assertAsModelled();
        }
        // Of every account the buckets together are the sum of its postings; all accounts together have nothing.
        await assertLedgerSound(service.owner);
        expect(await liveRows(service)).toEqual(await replayedRows(service));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('at the same time fill no hold beyond its amount, and lose nothing', async () => {
    const play = await Play.begin();
    const [uid] = play.uids as [string];
    const credit = () => commands.execute(new CreditAccount(uid, 100n, 'Teste', ACTOR));
    const place = (amount: bigint) =>
      commands.execute(new PlaceHold(uid, { amount, cause: 'Med', reference: 'R', retryUntil: FAR }, ACTOR));
    const all: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i++) all.push(credit(), place(70n), credit(), place(130n), credit());
    await Promise.all(all);
    const rows = await holdsOf(uid);
    expect(rows.map((hold) => hold.filled === hold.amount)).toEqual(rows.map(() => true));
    const live = await service.app.get(Registry, { strict: false }).account(uid);
    expect(live).toMatchObject({ available: 2_000n, blocked: 4_000n, filling: null });
    await assertLedgerSound(service.owner);
    expect(await liveRows(service)).toEqual(await replayedRows(service));
  });
});
