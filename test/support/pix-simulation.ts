import type { Registry, Transaction } from '../../src/accounts/index.js';
import type { Principal } from '../../src/auth/index.js';
import {
  type Append,
  type IdempotencyKey,
  type Ledger,
  newId,
  type NewWork,
  type Outcome,
  personal,
  type RecordedEvent,
  type Sealed,
  type SubjectVault,
  taxpayer,
  type WorkItem,
} from '../../src/event-store/index.js';
import { CancelCashIn } from '../../src/pix/commands/cancel-cash-in/cancel-cash-in.command.js';
import { CancelCashInHandler } from '../../src/pix/commands/cancel-cash-in/cancel-cash-in.handler.js';
import { RefundCashIn } from '../../src/pix/commands/refund-cash-in/refund-cash-in.command.js';
import { RefundCashInHandler } from '../../src/pix/commands/refund-cash-in/refund-cash-in.handler.js';
import { registerCashIn } from '../../src/pix/domain/cash-in.decider.js';
import { registerCashOut } from '../../src/pix/domain/cash-out.decider.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { PixIdentifiers } from '../../src/pix/identifiers.js';
import type { PixMetrics } from '../../src/pix/pix-metrics.js';
import { CashOutEndings } from '../../src/pix/rail/cash-out-endings.js';
import { IncomingPayments } from '../../src/pix/rail/incoming-payments.js';
import { IncomingReturns } from '../../src/pix/rail/incoming-returns.js';
import type { LaterCommand, RailCommands } from '../../src/pix/rail/rail-commands.js';
import { RailInbox } from '../../src/pix/rail/rail-inbox.js';
import type { LocatedTransaction, RailTransactions } from '../../src/pix/rail/rail-transactions.js';
import { RefundEndings } from '../../src/pix/rail/refund-endings.js';
import { railSaga } from '../../src/pix/rail.saga.js';
import { ExpireCashInWorker } from '../../src/pix/workers/expire-cash-in.worker.js';
import { performAtRail, PIX_WORK, type PixWorker } from '../../src/pix/workers/pix-work.js';
import { ResolveKeyWorker } from '../../src/pix/workers/resolve-key.worker.js';
import { ReturnPaymentWorker } from '../../src/pix/workers/return-payment.worker.js';
import { SendPaymentWorker } from '../../src/pix/workers/send-payment.worker.js';
import { SendRefundWorker } from '../../src/pix/workers/send-refund.worker.js';
import type { Config } from '../../src/platform/config/index.js';
import { ACCOUNT, funded, PARTITION, PARTNER, START, World } from './given.js';
import { Crash, ModelRail, type RailFault, UNKNOWN_KEY } from './model-rail.js';
import { EXPIRES } from './pix-given.js';

const CONFIG = { pixRail: 'sandbox', institution: { name: 'Instituicao', ispb: '12345678' } } as unknown as Config;
const CALLER = {
  accessKey: 'key',
  accountUid: ACCOUNT,
  partnerUid: PARTNER,
  partition: PARTITION,
} as unknown as Principal;
const HOLDER = { name: 'Loja', taxNumber: '11222333000181', branch: '0001', number: '100001', digit: '4' };
const someone = taxpayer(PARTNER, '52998224725');
const webhook = { url: 'https://partner.example/hook' };

/**
 * The whole of Pix but HTTP and SQL: the real saga, workers, inbox and handlers over a ledger in memory and a rail that
 * fails. The ledger stands in for the database by what it promises: one command after another, each idempotency key once.
 */
export class PixSimulation {
  readonly world = new World();
  readonly rail = new ModelRail();
  readonly work = new Map<string, WorkItem>();
  readonly inbox: RailInbox;
  readonly #answers = new Map<string, readonly RecordedEvent[]>();
  readonly #workers: Record<string, PixWorker>;
  readonly #cancel: CancelCashInHandler;
  readonly #refund: RefundCashInHandler;
  #followed = 0;

  constructor(readonly initial: bigint) {
    this.world.append(funded(initial)(this.world), START);
    const transactions = {
      byId: async (id: string) => this.#locate(this.world.transaction(id)),
      byTxid: async (txid: string | null) =>
        this.#locate(this.world.transactions.find(({ id }) => txidOf(id) === txid)),
      byOwnIdentifier: async (identifier: string) =>
        this.#locate(this.world.transactions.find((one) => one.type !== 'CashIn' && one.endToEndId === identifier)),
      byPaymentId: async (paymentId: string) =>
        this.#locate(this.world.transactions.find((one) => one.type === 'CashOut' && one.endToEndId === paymentId)),
      partitionOfUnmatched: () => PARTITION,
    } as unknown as RailTransactions;
    const commands = {
      on: async ({ transaction: { id } }: LocatedTransaction, { decide, idempotency }: LaterCommand) =>
        this.#run(idempotency, () => {
          const { account, settlement, fees } = this.world;
          return decide({ transaction: this.world.transaction(id), account, settlement, fees }, START);
        }),
    } as unknown as RailCommands;
    const ledger = {
      unlessDone: async (_partition: number, key: IdempotencyKey | undefined, work: () => Promise<Outcome>) =>
        (key && this.#earlier(key)) ?? work(),
      execute: async ({ decide, idempotency }: Append) =>
        this.#run(idempotency, () => decide(undefined as never, START)),
    } as unknown as Ledger;
    const vault = {
      open: async (_partition: number, { sealed }: Sealed) => JSON.parse(sealed) as unknown,
    } as unknown as SubjectVault;
    const registry = {
      account: async () => this.world.account,
      holderOf: async () => HOLDER,
      facts: async () => ({ owner: someone, holder: HOLDER }),
    } as unknown as Registry;
    const metrics = { unmatched: () => undefined, returnRefused: () => undefined } as unknown as PixMetrics;
    const identifiers = new PixIdentifiers(CONFIG);
    const { rail } = this;
    const cashOuts = new CashOutEndings(commands, identifiers, vault, CONFIG);
    const refunds = new RefundEndings(commands, identifiers, CONFIG);
    const payments = new IncomingPayments(transactions, commands, ledger, identifiers, vault, metrics, rail, CONFIG);
    const returns = new IncomingReturns(transactions, cashOuts, commands, ledger, identifiers, metrics, CONFIG);
    this.inbox = new RailInbox(transactions, payments, returns, cashOuts, refunds, commands, CONFIG);
    this.#workers = {
      [PIX_WORK.resolveKey]: new ResolveKeyWorker(transactions, cashOuts, rail),
      [PIX_WORK.sendPayment]: new SendPaymentWorker(transactions, cashOuts, registry, vault, rail, CONFIG),
      [PIX_WORK.expireCashIn]: new ExpireCashInWorker(transactions, commands, payments, rail),
      [PIX_WORK.sendRefund]: new SendRefundWorker(transactions, refunds, rail),
      [PIX_WORK.returnPayment]: new ReturnPaymentWorker(ledger, metrics, transactions, registry, rail),
    };
    this.#cancel = new CancelCashInHandler(transactions, commands, payments, rail);
    this.#refund = new RefundCashInHandler(ledger, transactions, commands, registry, identifiers, CONFIG);
  }

  cashOut(amount: bigint, charges: bigint, key: 'none' | 'known' | 'unknown'): void {
    const id = newId(PARTITION);
    const value = key === 'unknown' ? UNKNOWN_KEY : 'maria@example.com';
    const recipient = {
      name: 'Maria',
      taxNumber: '52998224725',
      ...(key !== 'none' && { key: { type: 'EMAIL' as const, value } }),
    };
    const terms = { limits: { minimum: 1n, maximum: null }, nightMaximum: null, charges, orderIsTaken: false };
    const request = {
      id,
      endToEndId: new PixIdentifiers(CONFIG).endToEndId(PARTITION),
      amount,
      orderId: 'order',
      webhook,
    };
    const method = key === 'none' ? ('Account' as const) : ('Key' as const);
    const { account } = this.world;
    this.world.append(
      registerCashOut({ account, ...terms }, { ...request, method, recipient: personal(someone, recipient) }, START),
      START,
    );
  }

  async cashIn(amount: bigint, charges: bigint): Promise<void> {
    // Long enough ago: one that was refused is not on its way into the ledger any more, and its payment goes back.
    const id = newId(PARTITION, Date.now() - 120_000);
    await this.rail.createCharge({ txid: txidOf(id), amount });
    const { account } = this.world;
    const terms = { account, limits: { minimum: 1n, maximum: null }, charges, orderIsTaken: false };
    const code = { qrCode: 'code', location: 'pix.example/location' };
    this.world.append(
      registerCashIn(terms, { id, amount, orderId: 'order', webhook, ...code, expiresAt: EXPIRES }),
      START,
    );
  }

  cancel(id: string): Promise<void> {
    return this.#cancel.execute(new CancelCashIn(CALLER, id, 'request'));
  }

  async refund(id: string, amount: bigint | undefined, key: string | undefined): Promise<void> {
    const idempotency = key === undefined ? undefined : { key, request: `${id} ${amount}` };
    await this.#refund.execute(new RefundCashIn(CALLER, id, amount, undefined, 'request', idempotency));
  }

  /** The saga reads on: intentions appear and go. */
  async follow(): Promise<void> {
    const events = this.world.events.slice(this.#followed);
    this.#followed = this.world.events.length;
    const client = {
      query: async ({ name, values }: { name: string; values: unknown[][] }) => {
        if (name === 'work-remove') for (const id of values[1] as string[]) this.work.delete(id);
        else this.#add(values);
      },
    };
    await railSaga.handle(client as never, PARTITION, events);
  }

  #add([, ids, kinds, subjects, payloads]: unknown[][]): void {
    for (const [i, id] of (ids as string[]).entries()) {
      const [kind, subject] = [kinds![i] as NewWork['kind'], subjects![i] as string];
      const payload: unknown = JSON.parse(payloads![i] as string);
      if (!this.work.has(id)) this.work.set(id, { partition: PARTITION, id, kind, subject, payload, attempts: 0 });
    }
  }

  /** One item is worked on, by several processes at once where a lease was lost; a crash leaves it as it is. */
  async perform(id: string, fault: RailFault, processes: number): Promise<void> {
    const found = this.work.get(id);
    if (!found) return;
    this.rail.fault = fault;
    const runs = Array.from({ length: processes }, async (_, i) => {
      const item = { ...found, attempts: found.attempts + i + 1 };
      this.work.set(id, item);
      return performAtRail(this.#workers[item.kind]!, item);
    });
    for (const run of await Promise.allSettled(runs)) {
      if (run.status === 'rejected' && !(run.reason instanceof Crash)) throw run.reason;
      if (run.status === 'fulfilled' && run.value === 'done') this.work.delete(id);
    }
    this.rail.fault = 'none';
  }

  async sweep(): Promise<void> {
    for (const one of (await this.rail.receivedBetween()).items) {
      if (one.kind === 'Payment') await this.inbox.paymentReceived(one.payment);
      if (one.kind === 'ReturnedMoney') await this.inbox.moneyReturned(one.returned);
    }
  }

  /** Nothing fails any more, and all comes to its end. Every notification not yet delivered is lost. */
  async settle(): Promise<void> {
    this.rail.news.length = 0;
    for (let round = 0; round < 10; round += 1) {
      await this.follow();
      for (const id of this.rail.sent.keys()) this.rail.end(id, 'Settled');
      await this.sweep();
      for (const id of [...this.work.keys()]) await this.perform(id, 'none', 1);
    }
    await this.follow();
  }

  async #run(
    idempotency: IdempotencyKey | undefined,
    decide: () => readonly Parameters<World['append']>[0][number][],
  ): Promise<Outcome> {
    const earlier = idempotency && this.#earlier(idempotency);
    if (earlier) return earlier;
    const events = this.world.append(decide(), START);
    if (idempotency && events.length > 0) this.#answers.set(nameOf(idempotency), events);
    return { events, replayed: false };
  }

  #earlier(idempotency: IdempotencyKey): Outcome | undefined {
    const events = this.#answers.get(nameOf(idempotency));
    return events && { events, replayed: true };
  }

  #locate(transaction: Transaction | undefined): LocatedTransaction | undefined {
    if (!transaction) return undefined;
    const owner = { partition: PARTITION, partnerUid: PARTNER, accountUid: ACCOUNT };
    return { transaction, ...owner, settlementUid: this.world.settlement.uid, feesUid: this.world.fees.uid };
  }
}

const nameOf = ({ scope, key }: IdempotencyKey) => `${scope}/${key}`;
