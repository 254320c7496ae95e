import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import {
  type Attempt,
  DispatchQueue,
  type HeldLease,
  type QueuedWork,
  WakeUp,
  type WorkItem,
  type WorkResult,
} from '../../event-store/index.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { TransactionTraces } from '../transactions/transaction-traces.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { OfAnotherRail, RailUnavailable } from '../rails/rail-errors.js';
import { backoff } from '../rails/backoff.js';
import { retriedAtRail } from '../rails/retried-at-rail.js';
import { PIX_WORK } from './pix-work.js';
import { SendPaymentWorker } from './send-payment.worker.js';

/** For how long one process holds the lease while nothing is in flight: then any other may take it. */
const TENURE_MS = 60_000;
/** How long a payment that was begun before keeps its slot: it was sent already, and is only queried. */
const RETRY_SLOT_MS = 2_000;
const POLL_MS = 500;
const STATE_POLL_MS = 100;
const MAX_BACKOFF_MS = 2_000;
/** However long the rail asks for, one payment is tried again after this. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Sends payments over a rail that takes few at once. One process dispatches for all of them, under a lease. A payment
 * keeps its slot until it has ended, or the slot's time is over. The next slot goes to the partner that was served
 * longest ago: a partner with one payout waits for one of another's thousand, not for all. While the rail asks for a
 * pause (`Retry-After`), none is begun and none is asked for.
 */
@Injectable()
export class PaymentDispatcher implements BeforeApplicationShutdown {
  readonly #logger = new Logger(PaymentDispatcher.name);
  readonly #inFlight = new Map<string, Promise<void>>();
  /** When a partner was served last, by the monotonic clock. */
  readonly #served = new Map<string, number>();
  /** By the monotonic clock. */
  #pausedUntil = 0;
  #closed = false;
  #wake = () => undefined as void;

  constructor(
    private readonly queue: DispatchQueue,
    private readonly transactions: PixTransactions,
    private readonly worker: SendPaymentWorker,
    private readonly traces: TransactionTraces,
    private readonly wakeUp: WakeUp,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  beforeApplicationShutdown(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Dispatches while this process holds the lease for certain; the others wait for it. */
  async dispatch(lease: HeldLease): Promise<WorkResult> {
    const { concurrency } = this.rail.capabilities.namesPayments!;
    const until = performance.now() + TENURE_MS;
    const stopListening = this.wakeUp.onWork((_partition, sources) => {
      if (sources?.includes(PIX_WORK.sendPayment)) this.#wake();
    });
    try {
      const isOver = () => performance.now() >= until || !lease.isCertain;
      while (!this.#closed && (!isOver() || this.#inFlight.size > 0)) {
        const mayBegin = !isOver() && this.#pause() <= 0;
        const free = mayBegin ? concurrency - this.#inFlight.size : 0;
        const begun = free > 0 ? await this.#begin(free, lease) : 0;
        if (begun < free || free === 0) await this.#wakeUpOrPoll();
      }
      await Promise.all(this.#inFlight.values());
    } finally {
      stopListening();
    }
    return { retryAt: new Date(Date.now() + Math.max(0, this.#pause())) };
  }

  /** @param free slots @returns how many were begun */
  async #begin(free: number, lease: HeldLease): Promise<number> {
    const heads = await this.queue.heads(PIX_WORK.sendPayment, new Date(), free + this.#inFlight.size);
    const waiting = Map.groupBy(
      heads.filter(({ id }) => !this.#inFlight.has(id)).sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime()),
      ({ owner }) => owner,
    );
    for (const partner of this.#served.keys()) if (!waiting.has(partner)) this.#served.delete(partner);
    let begun = 0;
    while (begun < free) {
      const next = this.#next(waiting);
      if (!next) break;
      const attempt = await this.queue.begin(next, lease);
      if (!attempt) continue;
      this.#served.set(next.owner, performance.now());
      begun += 1;
      const run = this.#send(next, attempt).finally(() => {
        this.#inFlight.delete(next.id);
        this.#wake();
      });
      this.#inFlight.set(next.id, run);
    }
    return begun;
  }

  #next(waiting: ReadonlyMap<string, QueuedWork[]>): QueuedWork | undefined {
    const partners = [...waiting].filter(([, items]) => items.length > 0);
    const servedAt = ([partner]: readonly [string, unknown]) => this.#served.get(partner) ?? 0;
    const age = ([, items]: readonly [string, QueuedWork[]]) => items[0]!.dueAt.getTime();
    const [first] = partners.sort((a, b) => servedAt(a) - servedAt(b) || age(a) - age(b));
    return first?.[1].shift();
  }

  async #send(item: QueuedWork, attempt: Attempt): Promise<void> {
    const { attempts } = attempt;
    try {
      await this.queue.end(item, attempts, await this.#untilEnded(item, attempt));
    } catch (error) {
      this.#logger.error({ err: error, transaction: item.subject }, 'a payment could not be sent; it is retried');
      await this.queue.end(item, attempts, backoff(attempts)).catch(() => undefined);
    }
  }

  /**
   * From the second attempt on, the rail is queried before anything is sent again. Another rail's payment, which waits
   * for that one, keeps no slot: it is no payment in flight.
   */
  async #untilEnded(item: QueuedWork, first: Attempt): Promise<WorkResult> {
    const { slotMs } = this.rail.capabilities.namesPayments!;
    const slotEnd = performance.now() + (first.attempts === 1 ? slotMs : Math.min(slotMs, RETRY_SLOT_MS));
    for (let attempt = first; ;) {
      const work = { ...item, ...attempt };
      let isAnothers = false;
      const perform = () =>
        this.#perform(work).catch((error: unknown) => {
          isAnothers = error instanceof OfAnotherRail;
          throw error;
        });
      const result = await this.traces.work(work, () => retriedAtRail(work, perform));
      if (result === 'done' || isAnothers || this.#closed || !work.lease.isCertain) return result;
      const left = slotEnd - performance.now();
      if (left <= 0 || this.#pause() >= left) return result;
      const own = Math.min(result.retryAt.getTime() - Date.now(), MAX_BACKOFF_MS, left);
      if (await this.#endedWithin(item.subject, Math.max(own, this.#pause()))) return 'done';
      attempt = { ...attempt, attempts: attempt.attempts + 1, refusals: result.refusals ?? null };
    }
  }

  async #perform(item: WorkItem): Promise<WorkResult> {
    try {
      return await this.worker.perform(item);
    } catch (error) {
      if (error instanceof RailUnavailable) {
        const pause = Math.min(error.retryAfterMs, LONGEST_PAUSE_MS);
        this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pause);
      }
      throw error;
    }
  }

  /** How long the rail is to be left alone, in milliseconds; zero or less where it is not. */
  #pause(): number {
    return this.#pausedUntil - performance.now();
  }

  /**
   * The notification of the end may reach any process: the state is polled. That is its row's, which somebody may have
   * changed: the payment has ended where its events say so too.
   */
  async #endedWithin(subject: string, pauseMs: number): Promise<boolean> {
    const until = performance.now() + pauseMs;
    while (!this.#closed && performance.now() < until) {
      await new Promise((resume) => setTimeout(resume, STATE_POLL_MS));
      if ((await this.transactions.byId(subject))?.transaction.state === 'Registered') continue;
      if ((await this.transactions.fromLog('cash-out', subject)).transaction.state !== 'Registered') return true;
    }
    return false;
  }

  async #wakeUpOrPoll(): Promise<void> {
    await new Promise<void>((resume) => {
      const timer = setTimeout(resume, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }
}
