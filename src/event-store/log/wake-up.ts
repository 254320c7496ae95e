import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * Signals in this process: a partition has new events, or work to claim. A lost signal costs a poll interval, no event.
 */
@Injectable()
export class WakeUp {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  /** Events were appended to a partition. @param types absent: unknown, any follower may want them */
  signalAppended(partition: number, types?: ReadonlySet<string>): void {
    this.#emitter.emit('appended', partition, types);
  }

  /** There may be work to claim in a partition. @param sources absent: of any source */
  signalWork(partition: number, sources?: readonly string[]): void {
    this.#emitter.emit('work', partition, sources);
  }

  /** @returns a function that stops listening */
  onWork(listener: (partition: number, sources?: readonly string[]) => void): () => void {
    this.#emitter.on('work', listener);
    return () => void this.#emitter.off('work', listener);
  }

  /** @returns a function that stops listening */
  onAppended(listener: (partition: number, types?: ReadonlySet<string>) => void): () => void {
    this.#emitter.on('appended', listener);
    return () => void this.#emitter.off('appended', listener);
  }
}
