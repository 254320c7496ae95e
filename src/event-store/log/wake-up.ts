import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** Tells the followers of the log in this process that a partition has news. Losing a signal costs a poll interval, no event. */
@Injectable()
export class WakeUp {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  /** @param types of the new events; absent: unknown, it may concern everybody */
  signal(partition: number, types?: ReadonlySet<string>): void {
    this.#emitter.emit('news', partition, types);
  }

  /** Tells this process that there may be work to claim in a partition. @param sources of which; absent: of any */
  signalWork(partition: number, sources?: readonly string[]): void {
    this.#emitter.emit('work', partition, sources);
  }

  /** @returns a function that stops listening */
  onWork(listener: (partition: number, sources?: readonly string[]) => void): () => void {
    this.#emitter.on('work', listener);
    return () => void this.#emitter.off('work', listener);
  }

  /** @returns a function that stops listening */
  onNews(listener: (partition: number, types?: ReadonlySet<string>) => void): () => void {
    this.#emitter.on('news', listener);
    return () => void this.#emitter.off('news', listener);
  }
}
