import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from './database.js';

const RECONNECT_MS = 1_000;

export interface NotificationListener {
  received(payload: string): void;
  /** The connection broke: notifications are lost until the next `received`. */
  lost?(): void;
}

/**
 * Notifications between the processes of one database, by LISTEN and NOTIFY. They have one connection of their own,
 * outside of every transaction: inside an append a NOTIFY would take a database-wide lock. A notification may be lost.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #listeners = new Map<string, NotificationListener>();
  readonly #logger = new Logger(Notifications.name);
  #client: Awaited<ReturnType<Database['listen']>> | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #connecting: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly database: Database) {}

  /** Call it before the application has started: one listener for each channel. */
  listen(channel: string, listener: NotificationListener): void {
    this.#listeners.set(channel, listener);
  }

  /** Sends to all processes, this one included; dropped without a connection. Resolves when it is sent, or lost. */
  async send(channel: string, payload: string): Promise<void> {
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
        message: (channel, payload) => this.#listeners.get(channel)?.received(payload),
        lost: () => {
          this.#client = undefined;
          for (const listener of this.#listeners.values()) listener.lost?.();
          this.#connectLater();
        },
      })
      .then((client) => void (this.#client = client))
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'notifications from other processes cannot be received; polling goes on');
        this.#connectLater();
      }));
  }

  #connectLater(): void {
    if (this.#stopped) return;
    clearTimeout(this.#reconnect);
    this.#reconnect = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }
}
