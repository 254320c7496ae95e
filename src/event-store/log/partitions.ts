import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  classifyFault,
  Database,
  DatabaseUnavailable,
  isConnectionFault,
  sqlState,
} from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { inTime } from '../../platform/in-time.js';
import { Peers } from '../../platform/workers/index.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { WakeUp } from './wake-up.js';

/** The answer of each partition, in their order, and the partitions that could not be reached. */
export interface PartitionAnswers<T> {
  readonly found: readonly (readonly [partition: number, answer: T])[];
  readonly away: readonly number[];
}

/** Queries of one caller at once; more would take connections from all others. */
const CONCURRENCY = 4;
/** A partition that could not be reached is left alone for this long. */
const RETRY_AFTER_MS = 1_000;
/** Time limit for an answer of one node of several: a frozen node counts as unreachable. */
const ANSWER_TIMEOUT_MS = 2_000;
const GROWTH_MS = 10_000;
/** How often a process that does not follow the log probes the partitions, on a database of several nodes. */
const PROBE_MS = 1_000;

/**
 * The partitions that exist, and queries that go to each of them separately. On a database of several nodes a partition
 * is on one of them: a node that cannot be reached must affect its own partitions only.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(Partitions.name);
  /** Partitions that could not be reached, and when to try them again, by the monotonic clock. */
  readonly #unreachable = new Map<number, number>();
  #highest: number;
  #timers: NodeJS.Timeout[] = [];
  #probing: Promise<unknown> | undefined;
  #stopListening: (() => void) | undefined;
  #growing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly wakeUp: WakeUp,
    private readonly peers: Peers,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: Pick<EventStoreOptions, 'partitions' | 'runsBackground'>,
  ) {
    this.#highest = options.partitions;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#stopListening = this.wakeUp.onAppended((partition) => {
      this.#highest = Math.max(this.#highest, partition);
    });
    this.#timers = [
      setInterval(() => void this.grow(), GROWTH_MS),
      setInterval(() => void (this.#probing ??= this.#probe().finally(() => (this.#probing = undefined))), PROBE_MS),
    ];
    await this.grow();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#timers.forEach((timer) => clearInterval(timer));
    this.#stopListening?.();
    await this.#growing;
    await this.#probing;
  }

  /** Every partition, the registry's (0) first. They are numbered without gaps. */
  all(): readonly number[] {
    return Array.from({ length: this.#highest + 1 }, (_, partition) => partition);
  }

  /** Whether it is known to exist. */
  has(partition: number): boolean {
    return partition <= this.#highest;
  }

  /** Those that this process follows and works for: all, unless other workers of the service own some. */
  own(): readonly number[] {
    return this.all().filter((partition) => this.owns(partition));
  }

  /** Whether no other worker of the service owns it. */
  owns(partition: number): boolean {
    return this.peers.owns(partition);
  }

  /** Those that could not be reached at the last query. */
  unreachable(): readonly number[] {
    return [...this.#unreachable.keys()].sort((a, b) => a - b);
  }

  /** Why no partner can be served; `undefined` while any can. */
  get problem(): string | undefined {
    return this.#unreachable.size > this.#highest ? 'no partition can be reached' : undefined;
  }

  /**
   * Queries each of the partitions, a few at once. One that could not be reached a moment ago is skipped.
   * @param question queries one partition
   * @throws DatabaseUnavailable when none of them answers; and every error that is not transient
   */
  async ask<T>(
    partitions: readonly number[],
    question: (partition: number) => Promise<T>,
  ): Promise<PartitionAnswers<T>> {
    const found: [number, T][] = [];
    const away: number[] = [];
    let fault: unknown;
    const queue = partitions.values();
    const next = async () => {
      for (const partition of queue) {
        try {
          if (this.isUnreachable(partition)) away.push(partition);
          else found.push([partition, await this.#askOne(partition, question)]);
        } catch (error) {
          if (!isTransient(error)) throw error;
          fault = error;
          away.push(partition);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, partitions.length) }, next));
    if (away.length > 0 && found.length === 0) throw asUnavailable(fault);
    return { found: found.sort(([a], [b]) => a - b), away: away.sort((a, b) => a - b) };
  }

  /** Whether it could not be reached a moment ago. After that, one query tries it for all callers. */
  isUnreachable(partition: number): boolean {
    return performance.now() < (this.#unreachable.get(partition) ?? 0);
  }

  async #askOne<T>(partition: number, question: (partition: number) => Promise<T>): Promise<T> {
    const wasUnreachable = this.#unreachable.has(partition);
    if (wasUnreachable) this.#unreachable.set(partition, performance.now() + RETRY_AFTER_MS);
    try {
      const answer = await (this.database.isSpread ? inAnswerTime(question(partition)) : question(partition));
      if (this.#unreachable.delete(partition)) this.#logger.log({ partition }, 'a partition is reachable again');
      return answer;
    } catch (error) {
      if (this.#isNodeFault(error)) {
        if (!this.#unreachable.has(partition))
          this.#logger.warn({ err: error, partition }, 'a partition is unreachable');
        this.#unreachable.set(partition, performance.now() + RETRY_AFTER_MS);
      }
      throw error;
    }
  }

  /**
   * Whether the error means that a node cannot be reached. The only server, or the coordinator, reports that itself: a
   * slow statement or a busy moment says nothing about a node.
   */
  #isNodeFault(error: unknown): boolean {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    const state = sqlState(cause);
    if (state?.startsWith('08')) return true;
    if (!this.database.isSpread || cause instanceof AppError) return false;
    // 28, 3D: the node is there, and lets nobody in.
    return isConnectionFault(cause) || /^(28|3D)/.test(state!);
  }

  /** A process that follows the log queries each partition once a second anyway. */
  async #probe(): Promise<void> {
    if (this.options.runsBackground || !this.database.isSpread) return;
    const probe = async (partition: number) => {
      await this.database.backgroundQuery({
        name: 'partition-exists',
        text: 'select from log_head where partition = $1',
        values: [partition],
      });
    };
    await Promise.all(this.all().map((partition) => this.ask([partition], probe).catch(() => undefined)));
  }

  /**
   * Asks the database for more of them: another process may have created some. One question at a time. Never throws.
   */
  grow(): Promise<void> {
    return (this.#growing ??= this.#grow().finally(() => (this.#growing = undefined)));
  }

  async #grow(): Promise<void> {
    try {
      for (;;) {
        const [next] = await this.database.backgroundQuery({
          name: 'partition-exists',
          text: 'select from log_head where partition = $1',
          values: [this.#highest + 1],
        });
        if (!next) return;
        this.#highest += 1;
      }
    } catch {
      // The queries that need the database report that it is unreachable.
    }
  }
}

/** @throws DatabaseUnavailable */
function inAnswerTime<T>(answer: Promise<T>): Promise<T> {
  return inTime(answer, ANSWER_TIMEOUT_MS, () => new DatabaseUnavailable(new NoAnswer()));
}

class NoAnswer extends Error {
  constructor() {
    super(`no answer for ${ANSWER_TIMEOUT_MS} ms`);
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return !(error instanceof AppError) && classifyFault(error) === 'transient';
}

function asUnavailable(fault: unknown): DatabaseUnavailable {
  return fault instanceof DatabaseUnavailable ? fault : new DatabaseUnavailable(fault);
}
