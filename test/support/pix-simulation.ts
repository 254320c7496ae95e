import { jest } from '@jest/globals';
import { type Command, CommandBus } from '@nestjs/cqrs';
import {
  type Account,
  ChangePartnerSettings,
  CreditAccount,
  OpenAccount,
  RegisterPartner,
  type Transaction,
  transactionTable,
} from '../../src/accounts/index.js';
import { accountTable } from '../../src/accounts/account.projection.js';
import type { Principal } from '../../src/auth/index.js';
import {
  EventLog,
  type Follower,
  LeasedWork,
  makeCheckpoint,
  HeldLease,
  newId,
  partitionOf,
  type RecordedEvent,
  Subscriptions,
} from '../../src/event-store/index.js';
import { step } from '../../src/event-store/followers/follower-step.js';
import { RecentEvents } from '../../src/event-store/log/recent-events.js';
import { CancelCashIn } from '../../src/pix/commands/cancel-cash-in/cancel-cash-in.command.js';
import { RefundCashIn } from '../../src/pix/commands/refund-cash-in/refund-cash-in.command.js';
import { RequestCashIn } from '../../src/pix/commands/request-cash-in/request-cash-in.command.js';
import { RequestCashOut } from '../../src/pix/commands/request-cash-out/request-cash-out.command.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../../src/pix/rails/rail-notifications.js';
import { nextCnpj } from './api.js';
import { replayedRows } from './in-process.js';
import { Crash, ModelRail, type RailFault, UNKNOWN_KEY } from './model-rail.js';
import { type PixApplication, startPix, type WorkByHand } from './pix-application.js';
import { PAYER } from './pix-given.js';

const OPERATOR = 'operator:test';
const SAGA = 'pix-rail';
const DAY_S = 24 * 60 * 60;
/** By then all work is due, and every lease has expired. */
const LATER = new Date('2900-01-01T00:00:00Z');
const common = { orderId: 'order', orderDescription: undefined, webhook: { url: 'https://partner.example/hook' } };

/** The only clock that is not real: the date, which moves when it is told to. */
const REAL = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
];

/**
 * The whole of Pix but HTTP: its module over a real database. A rail that fails stands outside, and the test says when
 * the log is followed, which work is done, and what time it is.
 */
export class PixSimulation {
  /** As they were at the last check. */
  accounts: readonly Account[] = [];
  transactions: readonly Transaction[] = [];
  readonly inbox: RailNotifications;
  readonly #work: WorkByHand;
  readonly #saga: Follower;
  #caller!: Principal;
  #charges = { cashInCharge: '0', cashOutCharge: '0' };
  #from = 0n;

  private constructor(
    readonly rail: ModelRail,
    private readonly pix: PixApplication,
  ) {
    const { app } = pix;
    this.inbox = app.get<RailNotifications>(RAIL_NOTIFICATIONS, { strict: false });
    this.#work = app.get<LeasedWork, WorkByHand>(LeasedWork, { strict: false });
    this.#saga = app
      .get(Subscriptions, { strict: false })
      .all()
      .find(({ name }) => name === SAGA)!;
  }

  static async start(): Promise<PixSimulation> {
    jest.useFakeTimers({ doNotFake: REAL });
    const rail = new ModelRail();
    return new PixSimulation(rail, await startPix(rail));
  }

  async stop(): Promise<void> {
    await this.pix.close();
    jest.useRealTimers();
  }

  get owner(): PixApplication['owner'] {
    return this.pix.owner;
  }

  /** @throws where an event contradicts those before it */
  async replay(): Promise<void> {
    await replayedRows(this.pix);
  }

  /** A new partner with an account and an empty rail. Work that an earlier run left is dropped. */
  async begin(initial: bigint): Promise<void> {
    this.rail.forget();
    const taxNumber = nextCnpj();
    const { uid: partnerUid } = await this.#execute(new RegisterPartner('Loja', taxNumber, OPERATOR));
    const { uid } = await this.#execute(new OpenAccount(partnerUid, { name: 'Loja', taxNumber }, OPERATOR));
    const partition = partitionOf(uid)!;
    this.#caller = { accessKey: 'key', accountUid: uid, partnerUid, partition, permissions: [] };
    this.#charges = { cashInCharge: '0', cashOutCharge: '0' };
    if (initial > 0n) await this.#execute(new CreditAccount(uid, initial, 'Test', OPERATOR));
    await this.pix.database.query(makeCheckpoint(partition, SAGA));
    await this.follow();
    await this.owner.query('delete from work where partition = $1', [partition]);
    this.#from = (await this.#log.heads()).get(partition)!;
    await this.look();
  }

  /** Reads what the partner has. */
  async look(): Promise<void> {
    const { accountUid, partnerUid, partition } = this.#caller;
    const [accounts, transactions] = await Promise.all([
      this.pix.database.query({
        name: 'simulation-accounts',
        text: `select ${accountTable.columns} from account where partition = $1 and partner_uid = $2`,
        values: [partition, partnerUid],
      }),
      this.pix.database.query({
        name: 'simulation-transactions',
        text: `
          select ${transactionTable.columns} from transaction
          where partition = $1 and account_uid = $2 order by position`,
        values: [partition, accountUid],
      }),
    ]);
    this.accounts = accounts.map((row) => accountTable.parse(row));
    this.transactions = transactions.map((row) => transactionTable.parse(row));
  }

  get account(): Account {
    return this.accounts.find(({ uid }) => uid === this.#caller.accountUid)!;
  }

  /** What is on a system account; nothing before its first posting. */
  system(name: Account['system']): bigint {
    return this.accounts.find(({ system }) => system === name)?.available ?? 0n;
  }

  /** Everything that happened since `begin`. */
  events(): Promise<RecordedEvent[]> {
    return this.#log.readAfter(this.#caller.partition, this.#from, 1_000_000);
  }

  pass(seconds: number): void {
    jest.setSystemTime(Date.now() + seconds * 1_000);
  }

  async cashOut(amount: bigint, charges: bigint, key: 'none' | 'known' | 'unknown'): Promise<void> {
    await this.#charge({ cashOutCharge: `${charges}` });
    const { ispb, branch, number, digit, type, taxNumber } = PAYER;
    const value = key === 'unknown' ? UNKNOWN_KEY : 'maria@example.com';
    const to =
      key === 'none'
        ? { method: 'Account' as const, recipient: { account: { ispb, branch, number, digit, type } } }
        : { method: 'Key' as const, recipient: { key: { type: 'EMAIL' as const, value } } };
    const recipient = { name: 'Maria', taxNumber, ...to.recipient };
    await this.#execute(
      new RequestCashOut(this.#caller, { ...common, payment: { ...to, amount, recipient } }, 'request', undefined),
    );
  }

  async cashIn(amount: bigint, charges: bigint): Promise<void> {
    await this.#charge({ cashInCharge: `${charges}` });
    const cashIn = { ...common, amount, payer: undefined, expiresIn: DAY_S };
    await this.#execute(new RequestCashIn(this.#caller, cashIn, 'request', undefined));
  }

  async cancel(id: string): Promise<void> {
    await this.#execute(new CancelCashIn(this.#caller, id, 'request'));
  }

  async refund(id: string, amount: bigint | undefined, key: string | undefined): Promise<void> {
    const idempotency = key === undefined ? undefined : { key, request: `${id} ${amount}` };
    await this.#execute(new RefundCashIn(this.#caller, id, amount, undefined, 'request', idempotency));
  }

  /** The saga catches up: work items are added and removed. */
  async follow(): Promise<void> {
    const { app, database } = this.pix;
    const { partition } = this.#caller;
    const recent = app.get(RecentEvents, { strict: false });
    for (let more = true; more;) {
      ({ more } = await database.transaction((client, last) =>
        step(client, last, [this.#saga], partition, recent, Infinity),
      ));
    }
  }

  /** What is to be done, in the order in which it fell due. */
  waiting(): Promise<{ id: string; kind: string }[]> {
    return this.pix.database.query<{ id: string; kind: string }>({
      name: 'simulation-work',
      text: 'select id, kind from work where partition = $1 order by due_at, id',
      values: [this.#caller.partition],
    });
  }

  /** One item is worked on, by several processes at once where a lease was lost; a crash leaves it unchanged. */
  async perform({ id, kind }: { id: string; kind: string }, fault: RailFault, processes: number): Promise<void> {
    const worker = this.#work.worker(kind);
    const { source } = worker;
    const runs: (() => Promise<void>)[] = [];
    for (let i = 0; i < processes; i++) {
      const lease = new HeldLease(newId(0));
      await this.pix.owner.query('update work set leased_until = null where id = $1', [id]);
      const claim = source.claim(this.#caller.partition, [id], lease.name, LATER);
      const items = (await this.pix.database.query(claim)).map((row) => source.parse(row, lease));
      runs.push(...items.map((item) => () => worker.perform(item)));
    }
    this.rail.fault = fault;
    for (const run of await Promise.allSettled(runs.map((start) => start()))) {
      if (run.status === 'rejected' && !(run.reason instanceof Crash)) throw run.reason;
    }
    this.rail.fault = 'none';
  }

  /** The timer's work, which has no row here. */
  async sweep(): Promise<void> {
    const worker = this.#work.worker('pix-sweep');
    const { source } = worker;
    const row = { partition: 0, id: newId(0), kind: source.name, subject: newId(0), payload: null, attempts: 1 };
    await worker.perform(source.parse(row, new HeldLease(newId(0))));
  }

  /**
   * Nothing fails any more, and all comes to its end. Every notification not yet delivered is lost.
   * @param each looks after every piece of work
   */
  async settle(each: () => Promise<void>): Promise<void> {
    this.rail.notifications.length = 0;
    // A charge that the ledger refused is not about to be registered any more: its payment is returned.
    // And charges that nobody pays expire.
    this.pass(DAY_S + 120);
    for (let round = 0; round < 10; round += 1) {
      for (const id of this.rail.sent.keys()) this.rail.end(id, 'Settled');
      await this.sweep();
      await each();
      await this.follow();
      const waiting = await this.waiting();
      if (waiting.length === 0) return;
      for (const item of waiting) {
        await this.perform(item, 'none', 1);
        await each();
      }
    }
  }

  async #charge(change: { cashInCharge?: string; cashOutCharge?: string }): Promise<void> {
    const changed = { ...this.#charges, ...change };
    if (JSON.stringify(changed) === JSON.stringify(this.#charges)) return;
    await this.#execute(new ChangePartnerSettings(this.#caller.partnerUid, change, OPERATOR));
    this.#charges = changed;
  }

  #execute<T>(command: Command<T>): Promise<T> {
    return this.pix.app.get(CommandBus).execute(command);
  }

  get #log(): EventLog {
    return this.pix.app.get(EventLog);
  }
}
