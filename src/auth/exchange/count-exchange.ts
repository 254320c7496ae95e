import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Notifications } from '../../platform/database/index.js';
import { FailureDetector } from './failure-detector.js';

const CHANNEL = 'ledger_limits';
const HEARTBEAT_MS = 500;
/** The longest delay before counts are sent, and the shortest interval, for urgent ones. */
const INTERVAL_MS = 100;
const MIN_INTERVAL_MS = 20;
/** Its sender, what it is, and counts. */
const MESSAGE = /^([\w-]{8}) ([\w-]+)(?: (.*))?$/;
const SIGNALS: ReadonlySet<string | undefined> = new Set(['here', 'hello', 'gone']);
/** A payload of NOTIFY has fewer than 8,000 bytes; sender and name come before. */
const MAX_CHARACTERS = 7_800;

/** A count that all serving processes share. */
export interface SharedCount {
  /** Its name on the wire: one word. */
  readonly name: string;
  /** Counts of this process that are not sent yet, as many as fit; `undefined` for none. They then count as sent. */
  takeUnsent(maxCharacters: number): string | undefined;
  /** Counts of another process. */
  receive(payload: string): void;
  /** What a process that has just started must know; `undefined` for nothing. */
  snapshot?(maxCharacters: number): string | undefined;
  /** Whether other processes are reachable, and the share of every limit that this process may grant by itself. */
  peersChanged(hasPeers: boolean, share: number): void;
}

/**
 * Exchanges the counts of all serving processes (ADR 0020): each counts by itself, without a round trip, and sends what
 * it has counted to the others, by NOTIFY, 10 to 50 times a second while there is something to send. A process that
 * does not receive its own heartbeats grants no more than its share.
 */
@Injectable()
export class CountExchange implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #self = randomBytes(6).toString('base64url');
  readonly #detector = new FailureDetector();
  readonly #counts = new Map<string, SharedCount>();
  readonly #serves: boolean;
  #heartbeat: NodeJS.Timeout | undefined;
  #flush: NodeJS.Timeout | undefined;
  #flushAt = Number.POSITIVE_INFINITY;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #nextFlush = Promise.withResolvers<void>();

  constructor(
    private readonly notifications: Notifications,
    @Inject(CONFIG) { role }: Config,
  ) {
    this.#serves = role !== 'worker';
    if (this.#serves)
      notifications.listen(CHANNEL, { received: (payload) => this.#received(payload), lost: () => this.#lost() });
  }

  register(count: SharedCount): void {
    this.#counts.set(count.name, count);
  }

  /** Schedules the sending of counts. @param urgent whether a limit may be exceeded before the others know */
  schedule(urgent: boolean): void {
    const now = performance.now();
    const at = urgent ? Math.max(now, this.#flushedAt + MIN_INTERVAL_MS) : now + INTERVAL_MS;
    if (at >= this.#flushAt) return;
    clearTimeout(this.#flush);
    this.#flushAt = at;
    this.#flush = setTimeout(() => this.#sendAll(), at - now);
  }

  /** Resolves when all counts of this process were sent; after one heartbeat interval at the latest. */
  async flushed(): Promise<void> {
    this.schedule(true);
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, HEARTBEAT_MS);
    await Promise.race([this.#nextFlush.promise, timeout.promise]);
    clearTimeout(timer);
  }

  onApplicationBootstrap(): void {
    if (!this.#serves) return;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#beat();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#flush);
    if (this.#serves) void this.notifications.send(CHANNEL, `${this.#self} gone`);
  }

  #beat(): void {
    this.#detector.beat();
    void this.notifications.send(CHANNEL, `${this.#self} here`);
    this.#update();
  }

  #lost(): void {
    this.#detector.disconnected();
    this.#update();
  }

  #received(message: string): void {
    const [, sender = '', what = '', counts = ''] = MESSAGE.exec(message) ?? [];
    // Whoever has a connection may send: what no process would send makes no peer.
    if (!SIGNALS.has(what) && !this.#counts.has(what)) return;
    if (sender === this.#self) {
      if (what === 'here') this.#detector.echo();
      this.#update();
      return;
    }
    if (what === 'gone') {
      this.#detector.left(sender);
      this.#update();
      return;
    }
    if (this.#detector.received(sender)) this.#greet();
    this.#counts.get(what)?.receive(counts);
  }

  /** A process that has just started knows neither this one nor its counts. A greeting is no heartbeat. */
  #greet(): void {
    void this.notifications.send(CHANNEL, `${this.#self} hello`);
    for (const count of this.#counts.values()) void this.#send(count.name, count.snapshot?.(MAX_CHARACTERS));
  }

  #update(): void {
    const { hasPeers, share } = this.#detector.state();
    for (const count of this.#counts.values()) count.peersChanged(hasPeers, share);
  }

  #sendAll(): void {
    this.#flushAt = Number.POSITIVE_INFINITY;
    this.#flushedAt = performance.now();
    const { resolve } = this.#nextFlush;
    this.#nextFlush = Promise.withResolvers();
    const sent = [...this.#counts.values()].map((count) => this.#send(count.name, count.takeUnsent(MAX_CHARACTERS)));
    void Promise.all(sent).then(() => resolve());
  }

  async #send(name: string, payload: string | undefined): Promise<void> {
    if (payload !== undefined) await this.notifications.send(CHANNEL, `${this.#self} ${name} ${payload}`);
  }
}
