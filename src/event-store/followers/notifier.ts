import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Notifications } from '../../platform/database/index.js';
import { Partitions } from '../log/partitions.js';
import { WakeUp } from '../log/wake-up.js';

const CHANNEL = 'ledger_news';
const MIN_INTERVAL_MS = 50;
const NUMBER = /^\d{1,9}$/;

/**
 * Notifies other processes of new events, after the commit. Signals are coalesced and may be lost: followers poll too.
 * Everyone with a connection may send one, so what they say is not believed: the database knows which partitions exist.
 */
@Injectable()
export class Notifier implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #self = randomUUID();
  readonly #pending = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #receiving = false;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly notifications: Notifications,
    private readonly wakeUp: WakeUp,
    private readonly partitions: Partitions,
  ) {
    notifications.listen(CHANNEL, { received: (payload) => this.#receive(payload) });
  }

  onApplicationBootstrap(): void {
    this.#stopListening = this.wakeUp.onAppended((partition) => {
      if (!this.#receiving) this.#notify(partition);
    });
  }

  onApplicationShutdown(): void {
    this.#stopListening?.();
    clearTimeout(this.#timer);
  }

  #receive(payload: string): void {
    const [sender, ...named] = payload.split(' ');
    if (sender === this.#self) return;
    const numbers = named.filter((one) => NUMBER.test(one)).map(Number);
    this.#signal(numbers);
    const unknown = numbers.filter((partition) => !this.partitions.has(partition));
    if (unknown.length > 0) void this.partitions.grow().then(() => this.#signal(unknown));
  }

  #signal(partitions: readonly number[]): void {
    this.#receiving = true;
    for (const partition of partitions) if (this.partitions.has(partition)) this.wakeUp.signalAppended(partition);
    this.#receiving = false;
  }

  #notify(partition: number): void {
    this.#pending.add(partition);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.notifications.send(CHANNEL, [this.#self, ...this.#pending].join(' '));
      this.#pending.clear();
    }, MIN_INTERVAL_MS);
  }
}
