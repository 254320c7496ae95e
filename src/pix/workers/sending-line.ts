import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { type InLine, WakeUp, WorkLine, type WorkResult } from '../../event-store/index.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { TransactionTraces } from '../transactions/transaction-traces.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { askAgain } from '../rails/ask-again.js';
import { performAtRail, PIX_WORK } from './pix-work.js';
import { SendPaymentWorker } from './send-payment.worker.js';

/** For how long one process keeps the line while nothing is under way: another that was started may be the better. */
const KEPT_MS = 60_000;
/** Of a payment that was begun before: it had its turn, and is only asked for. */
const SHORT_TURN_MS = 2_000;
const LOOK_MS = 500;
const ENDED_MS = 100;
const MOST_MS = 2_000;

/**
 * Sends payments over a rail that wants few under way at once: one process keeps the line for all, and a payment keeps
 * its place until it has ended, or its turn is over. Next is who was served longest ago, so that a partner with a
 * thousand payouts makes another with one wait for one.
 */
@Injectable()
export class SendingLine implements BeforeApplicationShutdown {
  readonly #logger = new Logger(SendingLine.name);
  readonly #underWay = new Map<string, Promise<void>>();
  /** When a partner was served last, by the monotonic clock. */
  readonly #served = new Map<string, number>();
  #closed = false;
  #wake = () => undefined as void;

  constructor(
    private readonly line: WorkLine,
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

  /** The work of who keeps the line. Others wait for the lease of this item. */
  async keep(): Promise<WorkResult> {
    const { atOnce } = this.rail.capabilities.namesPayments!;
    const until = performance.now() + KEPT_MS;
    const stopListening = this.wakeUp.onWork((_partition, sources) => {
      if (sources?.includes(PIX_WORK.sendPayment)) this.#wake();
    });
    try {
      while (!this.#closed && (performance.now() < until || this.#underWay.size > 0)) {
        const room = performance.now() < until ? atOnce - this.#underWay.size : 0;
        const begun = room > 0 ? await this.#begin(room) : 0;
        if (begun < room || room === 0) await this.#news();
      }
      await Promise.all(this.#underWay.values());
    } finally {
      stopListening();
    }
    return { retryAt: new Date() };
  }

  /** @returns how many were begun */
  async #begin(room: number): Promise<number> {
    const fronts = await this.line.fronts(PIX_WORK.sendPayment, new Date(), room + this.#underWay.size);
    const waiting = Map.groupBy(
      fronts.filter(({ id }) => !this.#underWay.has(id)).sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime()),
      ({ partnerUid }) => partnerUid,
    );
    for (const partner of this.#served.keys()) if (!waiting.has(partner)) this.#served.delete(partner);
    let begun = 0;
    while (begun < room) {
      const next = this.#next(waiting);
      if (!next) break;
      const attempts = await this.line.begin(next);
      if (attempts === undefined) continue;
      this.#served.set(next.partnerUid, performance.now());
      begun += 1;
      const run = this.#send(next, attempts).finally(() => {
        this.#underWay.delete(next.id);
        this.#wake();
      });
      this.#underWay.set(next.id, run);
    }
    return begun;
  }

  #next(waiting: ReadonlyMap<string, InLine[]>): InLine | undefined {
    const partners = [...waiting].filter(([, items]) => items.length > 0);
    const servedAt = ([partner]: readonly [string, unknown]) => this.#served.get(partner) ?? 0;
    const age = ([, items]: readonly [string, InLine[]]) => items[0]!.dueAt.getTime();
    const [first] = partners.sort((a, b) => servedAt(a) - servedAt(b) || age(a) - age(b));
    return first?.[1].shift();
  }

  async #send(item: InLine, attempts: number): Promise<void> {
    try {
      await this.line.end(item, attempts, await this.#untilEnded(item, attempts));
    } catch (error) {
      this.#logger.error({ err: error, transaction: item.subject }, 'a payment could not be sent; it is tried again');
      await this.line.end(item, attempts, askAgain(attempts)).catch(() => undefined);
    }
  }

  /** Every time but the first the rail is asked before anything is sent again. */
  async #untilEnded(item: InLine, first: number): Promise<WorkResult> {
    const { turnMs } = this.rail.capabilities.namesPayments!;
    const over = performance.now() + (first === 1 ? turnMs : Math.min(turnMs, SHORT_TURN_MS));
    for (let attempts = first; ; attempts += 1) {
      const work = { ...item, attempts };
      const result = await this.traces.work(work, () => performAtRail(this.worker, work));
      if (result === 'done' || this.#closed || performance.now() >= over) return result;
      const pause = Math.min(result.retryAt.getTime() - Date.now(), MOST_MS, over - performance.now());
      if (await this.#endedWithin(item.subject, pause)) return 'done';
    }
  }

  /** News of the end come to whichever process the rail calls. */
  async #endedWithin(subject: string, pauseMs: number): Promise<boolean> {
    const until = performance.now() + pauseMs;
    while (!this.#closed && performance.now() < until) {
      await new Promise((resume) => setTimeout(resume, ENDED_MS));
      if ((await this.transactions.byId(subject))?.transaction.state !== 'Registered') return true;
    }
    return false;
  }

  async #news(): Promise<void> {
    await new Promise<void>((resume) => {
      const timer = setTimeout(resume, LOOK_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }
}
