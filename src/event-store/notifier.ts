import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { WakeUp } from './wake-up.js';

const CHANNEL = 'ledger_news';
const LEAST_INTERVAL_MS = 50;
const RECONNECT_MS = 1_000;

/**
 * Carries wake-ups between processes by LISTEN and NOTIFY, on a connection of its own and after the commit:
 * inside the append it would take a database-wide lock. Signals are coalesced, and may be lost: followers poll too.
 */
@Injectable()
export class Notifier implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #self = randomUUID();
  readonly #news = new Set<number>();
  readonly #logger = new Logger(Notifier.name);
  #client: Awaited<ReturnType<Database['listen']>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #connecting: Promise<void> | undefined;
  #relaying = false;
  #stopped = false;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly wakeUp: WakeUp,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#stopListening = this.wakeUp.onNews((partition) => {
      if (!this.#relaying) this.#announce(partition);
    });
    await this.#connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#reconnect);
    await this.#connecting;
    await this.#client?.close();
  }

  #connect(): Promise<void> {
    return (this.#connecting = this.database
      .listen(CHANNEL, {
        message: (payload) => this.#receive(payload),
        lost: () => {
          this.#client = undefined;
          this.#connectLater();
        },
      })
      .then((client) => void (this.#client = client))
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'news from other processes cannot be heard; polling goes on');
        this.#connectLater();
      }));
  }

  #connectLater(): void {
    if (this.#stopped) return;
    clearTimeout(this.#reconnect);
    this.#reconnect = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  #receive(payload: string): void {
    const [sender, ...partitions] = payload.split(' ');
    if (sender === this.#self) return;
    this.#relaying = true;
    for (const partition of partitions) this.wakeUp.signal(Number(partition));
    this.#relaying = false;
  }

  #announce(partition: number): void {
    this.#news.add(partition);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const payload = [this.#self, ...this.#news].join(' ');
      this.#news.clear();
      this.#client?.notify(payload).catch(() => undefined);
    }, LEAST_INTERVAL_MS);
  }
}
