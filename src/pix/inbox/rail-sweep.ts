import { Inject, Injectable, Logger } from '@nestjs/common';
import { TransactionRows } from '../../accounts/index.js';
import { EventLog, REGISTRY_PARTITION } from '../../event-store/index.js';
import { Database, databaseTime } from '../../platform/database/index.js';
import { partitionOfTxid } from '../domain/values/txid.js';
import { PIX_RAIL, type PixRail, type Received } from '../rails/pix-rail.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rails/rail-notifications.js';

/** The rail's clock and ours differ, and it may book late: what was looked at is looked at again for a while. */
const OVERLAP_MS = 5 * 60_000;
/** A mark in the future does not tell how long nothing before it was looked at: as long as a clock may stay wrong. */
const BACK_MS = 24 * 60 * 60_000;
const AT_ONCE = 16;

/** Asks the rail for what it received, so that a lost notification loses no deposit. News that are known change nothing. */
@Injectable()
export class RailSweep {
  readonly #logger = new Logger(RailSweep.name);

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly transactions: TransactionRows,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(RAIL_NOTIFICATIONS) private readonly inbox: RailNotifications,
  ) {}

  /** @throws RailUnavailable; what was taken in until then stays */
  async run(): Promise<void> {
    const mark = await this.#sweptUntil();
    // Not by this process's clock: ahead of the others, it would leave the mark where nobody looks before it.
    const until = await databaseTime(this.database);
    const from = this.#beginning(mark, until);
    let failures = 0;
    let cursor: string | null = null;
    do {
      const page = await this.rail.receivedBetween(from, until, cursor);
      failures += await this.#takeIn(await this.#unknown(page.items));
      cursor = page.nextCursor;
    } while (cursor !== null);
    if (failures === 0) await this.#moveTo(until);
  }

  /** A clock that was ahead by less than the overlap has hidden nothing. */
  #beginning(mark: Date, now: Date): Date {
    const overlapping = new Date(mark.getTime() - OVERLAP_MS);
    if (overlapping <= now) return overlapping;
    const from = new Date(now.getTime() - BACK_MS);
    this.#logger.warn({ mark, from }, 'the rail was swept up to a time that is yet to come; it is swept from before');
    return from;
  }

  /** Several at once, but those of one charge in the order in which they came: the first payment is the one that counts. */
  async #takeIn(news: readonly Received[]): Promise<number> {
    const apart = [...Map.groupBy(news, subjectOf).values()];
    let failures = 0;
    for (let first = 0; first < apart.length; first += AT_ONCE) {
      const several = apart.slice(first, first + AT_ONCE).map((group) => this.#inOrder(group));
      for (const result of await Promise.allSettled(several)) {
        if (result.status === 'fulfilled') continue;
        failures += 1;
        this.#logger.error(
          { err: result.reason as unknown },
          'something received could not be taken in; it is tried again',
        );
      }
    }
    return failures;
  }

  async #inOrder(news: readonly Received[]): Promise<void> {
    for (const one of news) {
      if (one.kind === 'Payment') await this.inbox.paymentReceived(one.payment);
      else if (one.kind === 'PaymentEnded') await this.inbox.cashOutChanged(one.paymentId, one.outcome);
      else await this.inbox.moneyReturned(one.returned);
    }
  }

  /** Without the payments that a transaction names already: nearly all of them, found in one query a partition. */
  async #unknown(news: readonly Received[]): Promise<Received[]> {
    const known = new Set<string>();
    for (const [partition, payments] of Map.groupBy(news, partitionOfPayment)) {
      if (partition === undefined) continue;
      const named = payments.flatMap((one) => (one.kind === 'Payment' ? one.payment.endToEndId : []));
      for (const id of await this.transactions.knownPayments(partition, named)) known.add(id);
    }
    return news.filter((one) => one.kind !== 'Payment' || !known.has(one.payment.endToEndId));
  }

  async #sweptUntil(): Promise<Date> {
    const [row] = await this.database.backgroundQuery<{ swept_until: Date }>({
      name: 'sweep-position',
      text: 'select swept_until from pix_sweep where partition = $1 and rail = $2',
      values: [REGISTRY_PARTITION, this.rail.name],
    });
    if (row) return row.swept_until;
    // An account may be older at its bank than this ledger is: what came in before the first event was not for us.
    const [first] = await this.log.readAfter(REGISTRY_PARTITION, 0n, 1);
    return first?.time ?? databaseTime(this.database);
  }

  /** Sweeps at the same time may move it back by what one of them takes, which is then looked at again. */
  async #moveTo(until: Date): Promise<void> {
    await this.database.backgroundQuery({
      name: 'sweep-move',
      text: `
        insert into pix_sweep (partition, rail, swept_until) values ($1, $2, $3)
        on conflict (partition, rail) do update set swept_until = excluded.swept_until`,
      values: [REGISTRY_PARTITION, this.rail.name, until],
    });
  }
}

function partitionOfPayment(one: Received): number | undefined {
  return one.kind === 'Payment' && one.payment.txid !== null ? partitionOfTxid(one.payment.txid) : undefined;
}

/** What one piece of news is about, so that news about one thing stay in order. */
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
