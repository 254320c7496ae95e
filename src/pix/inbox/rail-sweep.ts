import { Inject, Injectable, Logger } from '@nestjs/common';
import { TransactionRows } from '../../accounts/index.js';
import { EventLog, REGISTRY_PARTITION } from '../../event-store/index.js';
import { Database, databaseTime } from '../../platform/database/index.js';
import { partitionOfTxid } from '../domain/values/txid.js';
import { PIX_RAIL, type PixRail, type RailPage, type Received } from '../rails/pix-rail.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rails/rail-notifications.js';

/** The rail's clock and ours differ, and it may book late: each sweep overlaps the one before. */
const OVERLAP_MS = 5 * 60_000;
/** Where the mark is in the future: as far back as a clock may have been wrong. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
/** What came in before is a matter of reconciliation. */
const LONGEST_MS = 90 * 24 * 60 * 60_000;
const CONCURRENCY = 16;
/** What cannot be recorded is asked for by each sweep for so long, and then as often by itself. */
const PATIENCE_MS = 60 * 60_000;

/**
 * Reads from the rail what it received, so that a lost notification loses no deposit. Known payments change nothing.
 */
@Injectable()
export class RailSweep {
  readonly #logger = new Logger(RailSweep.name);
  /** Since when no sweep of this process has been whole, and when it asked for what is left; by the monotonic clock. */
  #failingSince: number | undefined;
  #leftAskedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly transactions: TransactionRows,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(RAIL_NOTIFICATIONS) private readonly inbox: RailNotifications,
  ) {}

  /** @throws RailUnavailable; what was recorded until then stays */
  async run(): Promise<void> {
    // Not by this process's clock: a clock that is ahead would hide the time before the mark from other processes.
    const until = await databaseTime(this.database);
    const from = await this.#beginning(until);
    const isWhole = await this.#read(from, until);
    const now = performance.now();
    this.#failingSince = isWhole ? undefined : (this.#failingSince ?? now);
    const isGivenUp = now - (this.#failingSince ?? now) >= PATIENCE_MS;
    if (isGivenUp) await this.#leave(from, until);
    if (isWhole || isGivenUp) await this.#moveTo(until);
    if (isGivenUp) this.#failingSince = undefined;
    if (now - this.#leftAskedAt < PATIENCE_MS) return;
    this.#leftAskedAt = now;
    await this.#readLeft(until);
  }

  /**
   * The ledger lacks some of what the rail lists as received in an interval that was swept: it is asked for again, by
   * the next sweep of this process, and by others within the hour.
   */
  async askAgain(from: Date, until: Date): Promise<void> {
    await this.#remember(from, until);
    this.#leftAskedAt = -Infinity;
  }

  /** @returns whether all of it could be read and recorded */
  async #read(from: Date, until: Date): Promise<boolean> {
    let failures = 0;
    let cursor: string | null = null;
    do {
      const page = await this.rail.receivedBetween(from, until, cursor);
      failures += await this.#receiveAll(await this.#unknown(page.items));
      failures += this.#unread(page);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return failures === 0;
  }

  /**
   * An interval with something that cannot be recorded. It is remembered, and the mark moves on: else each sweep would
   * ask for all that came in since then.
   */
  async #leave(from: Date, until: Date): Promise<void> {
    this.#logger.error({ from, until }, 'a part of what the rail lists cannot be recorded; it is asked for each hour');
    await this.#remember(from, until);
  }

  /** An interval to ask for apart from the mark. */
  #remember(from: Date, until: Date): Promise<void> {
    return this.#setMark(`${this.#leftBy}${from.toISOString()}`, until);
  }

  /** What is older than ninety days is found by reconciliation. */
  async #readLeft(now: Date): Promise<void> {
    const rows = await this.database.backgroundQuery<{ rail: string; swept_until: Date }>({
      name: 'sweep-left',
      text: 'select rail, swept_until from pix_sweep where partition = $1 and starts_with(rail, $2)',
      values: [REGISTRY_PARTITION, this.#leftBy],
    });
    for (const { rail, swept_until } of rows) {
      const until = swept_until < now ? swept_until : now;
      const from = new Date(rail.slice(this.#leftBy.length));
      const isOver = !(from.getTime() > now.getTime() - LONGEST_MS - OVERLAP_MS);
      if (isOver)
        this.#logger.error({ from, until }, 'a part of what the rail lists was never recorded, and is too old');
      if (isOver || (await this.#read(from, until))) await this.#removeLeft(rail);
    }
  }

  async #removeLeft(rail: string): Promise<void> {
    await this.database.backgroundQuery({
      name: 'sweep-left-done',
      text: 'delete from pix_sweep where partition = $1 and rail = $2',
      values: [REGISTRY_PARTITION, rail],
    });
  }

  /** Rows of intervals that were left: their beginning follows. */
  get #leftBy(): string {
    return `${this.#swept} left `;
  }

  /** The rail is asked for them again. */
  #unread({ unread = [] }: RailPage<Received>): number {
    const [first] = unread;
    if (first) this.#logger.error({ err: first, unread: unread.length }, "a payment of the rail's list cannot be read");
    return unread.length;
  }

  /** Several at once, but in order for each charge: the first payment counts. */
  async #receiveAll(received: readonly Received[]): Promise<number> {
    const bySubject = [...Map.groupBy(received, subjectOf).values()];
    let failures = 0;
    for (let first = 0; first < bySubject.length; first += CONCURRENCY) {
      const several = bySubject.slice(first, first + CONCURRENCY).map((group) => this.#inOrder(group));
      for (const result of await Promise.allSettled(several)) {
        if (result.status === 'fulfilled') continue;
        failures += 1;
        this.#logger.error(
          { err: result.reason as unknown },
          'a payment or return could not be recorded; it is retried',
        );
      }
    }
    return failures;
  }

  async #inOrder(received: readonly Received[]): Promise<void> {
    for (const one of received) {
      if (one.kind === 'Payment') await this.inbox.paymentReceived(one.payment);
      else if (one.kind === 'PaymentEnded') await this.inbox.cashOutChanged(one.paymentId, one.outcome);
      else await this.inbox.moneyReturned(one.returned);
    }
  }

  /** Without the payments that a transaction has already: nearly all of them, found in one query a partition. */
  async #unknown(received: readonly Received[]): Promise<Received[]> {
    const known = new Set<string>();
    for (const [partition, payments] of Map.groupBy(received, partitionOfPayment)) {
      if (partition === undefined) continue;
      const named = payments.flatMap((one) => (one.kind === 'Payment' ? one.payment.endToEndId : []));
      for (const id of await this.transactions.knownPayments(partition, named)) known.add(id);
    }
    return received.filter((one) => one.kind !== 'Payment' || !known.has(one.payment.endToEndId));
  }

  /**
   * The mark is only a row's: one that no sweep can have left is none. A clock that was ahead by less than the overlap
   * hid nothing.
   */
  async #beginning(now: Date): Promise<Date> {
    const [mark, until] = [await this.#sweptUntil(), now.getTime()];
    if (mark > until - LOOK_BACK_MS && mark <= until + OVERLAP_MS) return new Date(mark - OVERLAP_MS);
    if (mark > until) this.#logger.warn('the sweep mark is in the future; the rail is swept from an earlier time');
    if (mark > until && mark <= until + LOOK_BACK_MS) return new Date(until - LOOK_BACK_MS);
    const first = await this.#firstSwept(until);
    return new Date((mark <= until ? Math.max(mark, first) : first) - OVERLAP_MS);
  }

  /**
   * Earlier versions kept one mark for all PSPs of a rail: it counts until this one has its own.
   * @returns milliseconds; NaN where there is no mark
   */
  async #sweptUntil(): Promise<number> {
    const [row] = await this.database.backgroundQuery<{ swept_until: Date }>({
      name: 'sweep-position',
      text: `
        select swept_until from pix_sweep
        where partition = $1 and rail in ($2, $3) order by rail = $2 desc limit 1`,
      values: [REGISTRY_PARTITION, this.#swept, this.rail.name],
    });
    return row?.swept_until.getTime() ?? NaN;
  }

  /** The account may be older than this ledger: payments before the first event are not ours. */
  async #firstSwept(now: number): Promise<number> {
    const [first] = await this.log.readAfter(REGISTRY_PARTITION, 0n, 1);
    const began = Math.min(first?.time.getTime() ?? now, now);
    return Math.max(began, now - LONGEST_MS);
  }

  /** Concurrent sweeps may move the mark back by the duration of one: that time is swept again. */
  #moveTo(until: Date): Promise<void> {
    return this.#setMark(this.#swept, until);
  }

  async #setMark(rail: string, until: Date): Promise<void> {
    await this.database.backgroundQuery({
      name: 'sweep-move',
      text: `
        insert into pix_sweep (partition, rail, swept_until) values ($1, $2, $3)
        on conflict (partition, rail) do update set swept_until = excluded.swept_until`,
      values: [REGISTRY_PARTITION, rail, until],
    });
  }

  /** Each PSP has a mark of its own: what one has listed says nothing of another, which may be this rail's again. */
  get #swept(): string {
    const { name, psp } = this.rail;
    return psp === undefined ? name : `${name} ${psp}`;
  }
}

function partitionOfPayment(one: Received): number | undefined {
  return one.kind === 'Payment' && one.payment.txid !== null ? partitionOfTxid(one.payment.txid) : undefined;
}

/** The charge or payment of an item: its items stay in order. */
function subjectOf(one: Received): string {
  switch (one.kind) {
    case 'Payment':
      return one.payment.txid ?? one.payment.endToEndId;
    case 'PaymentEnded':
      return one.paymentId;
    case 'ReturnedMoney':
      return one.returned.paymentId ?? one.returned.endToEndId;
  }
}
