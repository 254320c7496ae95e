import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Notifications } from '../../platform/database/index.js';
import { WakeUp } from '../log/wake-up.js';

const CHANNEL = 'ledger_news';
const LEAST_INTERVAL_MS = 50;

/** Carries wake-ups between processes, after the commit. Signals are coalesced, and may be lost: followers poll too. */
@Injectable()
export class Notifier implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #self = randomUUID();
  readonly #fresh = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #relaying = false;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly notifications: Notifications,
    private readonly wakeUp: WakeUp,
  ) {
    notifications.listen(CHANNEL, { received: (payload) => this.#receive(payload) });
  }

  onApplicationBootstrap(): void {
    this.#stopListening = this.wakeUp.onNews((partition) => {
      if (!this.#relaying) this.#announce(partition);
    });
  }

  onApplicationShutdown(): void {
    this.#stopListening?.();
    clearTimeout(this.#timer);
  }

  #receive(payload: string): void {
    const [sender, ...partitions] = payload.split(' ');
    if (sender === this.#self) return;
    this.#relaying = true;
    for (const partition of partitions) this.wakeUp.signal(Number(partition));
    this.#relaying = false;
  }

  #announce(partition: number): void {
    this.#fresh.add(partition);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.notifications.send(CHANNEL, [this.#self, ...this.#fresh].join(' '));
      this.#fresh.clear();
    }, LEAST_INTERVAL_MS);
  }
}
