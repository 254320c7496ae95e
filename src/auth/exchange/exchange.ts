import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { News } from '../../platform/database/index.js';
import { Peers } from './peers.js';

const CHANNEL = 'ledger_limits';
const BEAT_MS = 500;
/** How long what was counted here may wait to be told; and at least waits, where it matters. */
const INTERVAL_MS = 100;
const LEAST_INTERVAL_MS = 20;
/** PostgreSQL takes fewer than 8,000 bytes; the sender and the name of the count stand before. */
const MOST_CHARACTERS = 7_800;

/** Something that is counted in every process that serves, for all of them. */
export interface SharedCount {
  /** Its name on the wire: one word. */
  readonly name: string;
  /** What was counted here and not told yet, as far as there is room; `undefined` when nothing was. */
  tell(mostCharacters: number): string | undefined;
  /** What another process has counted. */
  heard(payload: string): void;
  /** What must be known to a process that has just come; `undefined` for nothing. */
  greet?(mostCharacters: number): string | undefined;
  /** Whether others are there to be told, and the part of every limit that this process may give away by itself. */
  between(others: boolean, share: number): void;
}

/**
 * Makes one count of those of all processes that serve (ADR 0020): each counts by itself, without a journey, and tells
 * the others what it has counted, by NOTIFY, 10 to 50 times a second while there is something to tell. While a process
 * cannot hear itself it gives away no more than its part.
 */
@Injectable()
export class Exchange implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #self = randomBytes(6).toString('base64url');
  readonly #peers = new Peers();
  readonly #counts = new Map<string, SharedCount>();
  readonly #serves: boolean;
  #beat: NodeJS.Timeout | undefined;
  #flush: NodeJS.Timeout | undefined;
  #flushAt = Number.POSITIVE_INFINITY;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #nextTold = Promise.withResolvers<void>();

  constructor(
    private readonly news: News,
    @Inject(CONFIG) { role }: Config,
  ) {
    this.#serves = role !== 'worker';
    if (this.#serves) news.listen(CHANNEL, { heard: (payload) => this.#heard(payload), lost: () => this.#lost() });
  }

  share(count: SharedCount): void {
    this.#counts.set(count.name, count);
  }

  /** Something is to be told. @param urgent whether a limit may be passed before it is known elsewhere */
  soon(urgent: boolean): void {
    const now = performance.now();
    const at = urgent ? Math.max(now, this.#flushedAt + LEAST_INTERVAL_MS) : now + INTERVAL_MS;
    if (at >= this.#flushAt) return;
    clearTimeout(this.#flush);
    this.#flushAt = at;
    this.#flush = setTimeout(() => this.#tell(), at - now);
  }

  /** When the others have been told what was counted here until now; after a beat at the latest. */
  async told(): Promise<void> {
    this.soon(true);
    const bound = Promise.withResolvers<void>();
    const timer = setTimeout(bound.resolve, BEAT_MS);
    await Promise.race([this.#nextTold.promise, bound.promise]);
    clearTimeout(timer);
  }

  onApplicationBootstrap(): void {
    if (!this.#serves) return;
    this.#beat = setInterval(() => this.#look(), BEAT_MS);
    this.#look();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#flush);
    if (this.#serves) void this.news.tell(CHANNEL, `${this.#self} gone`);
  }

  #look(): void {
    this.#peers.beat();
    void this.news.tell(CHANNEL, `${this.#self} here`);
    this.#settle();
  }

  #lost(): void {
    this.#peers.cut();
    this.#settle();
  }

  #heard(message: string): void {
    const [sender = '', what = ''] = message.split(' ', 2);
    if (sender === this.#self) {
      if (what === 'here') this.#peers.echo();
      this.#settle();
      return;
    }
    if (what === 'gone') {
      this.#peers.left(sender);
      this.#settle();
      return;
    }
    if (this.#peers.heard(sender)) this.#welcome();
    this.#counts.get(what)?.heard(message.slice(sender.length + what.length + 2));
  }

  /** A process that has just come knows nothing of this one, nor of what it should. A greeting is no beat. */
  #welcome(): void {
    void this.news.tell(CHANNEL, `${this.#self} hello`);
    for (const count of this.#counts.values()) void this.#send(count.name, count.greet?.(MOST_CHARACTERS));
  }

  #settle(): void {
    const { others, share } = this.#peers.state();
    for (const count of this.#counts.values()) count.between(others, share);
  }

  #tell(): void {
    this.#flushAt = Number.POSITIVE_INFINITY;
    this.#flushedAt = performance.now();
    const { resolve } = this.#nextTold;
    this.#nextTold = Promise.withResolvers();
    const told = [...this.#counts.values()].map((count) => this.#send(count.name, count.tell(MOST_CHARACTERS)));
    void Promise.all(told).then(() => resolve());
  }

  async #send(name: string, payload: string | undefined): Promise<void> {
    if (payload !== undefined) await this.news.tell(CHANNEL, `${this.#self} ${name} ${payload}`);
  }
}
