import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from './database.js';

const RECONNECT_MS = 1_000;

export interface NewsListener {
  heard(payload: string): void;
  /** The connection broke: what others say until the next `heard` is lost. */
  lost?(): void;
}

/**
 * What processes of one database tell each other, by LISTEN and NOTIFY, on one connection of their own and outside every
 * transaction: inside an append it would take a database-wide lock. What is told may be lost.
 */
@Injectable()
export class News implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #listeners = new Map<string, NewsListener>();
  readonly #logger = new Logger(News.name);
  #client: Awaited<ReturnType<Database['listen']>> | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #connecting: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly database: Database) {}

  /** Before the application has started: one listener for each channel. */
  listen(channel: string, listener: NewsListener): void {
    this.#listeners.set(channel, listener);
  }

  /** Tells all processes, this one too; nobody while there is no connection. Resolves when it is sent, or lost. */
  async tell(channel: string, payload: string): Promise<void> {
    await this.#client?.notify(channel, payload).catch(() => undefined);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.#connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#reconnect);
    await this.#connecting;
    await this.#client?.close();
  }

  #connect(): Promise<void> {
    return (this.#connecting = this.database
      .listen([...this.#listeners.keys()], {
        message: (channel, payload) => this.#listeners.get(channel)?.heard(payload),
        lost: () => {
          this.#client = undefined;
          for (const listener of this.#listeners.values()) listener.lost?.();
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
}
