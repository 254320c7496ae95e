import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  classifyFault,
  Database,
  DatabaseUnavailable,
  isConnectionFault,
  sqlState,
} from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { WakeUp } from './wake-up.js';

/** What each partition answered, in the order of partitions, and those that gave no answer. */
export interface Answers<T> {
  readonly found: readonly (readonly [partition: number, answer: T])[];
  readonly away: readonly number[];
}

/** Questions of one caller that are under way at once; more would take connections from everybody else. */
const AT_ONCE = 4;
/** How long a partition that gave no answer is asked by nobody. */
const REST_MS = 1_000;
/** How long an answer of one node of several is waited for: a frozen one is as good as away. */
const PATIENCE_MS = 2_000;
const GROWTH_MS = 10_000;
/** How often a process that follows no log looks which partitions are there, on a database of several nodes. */
const WATCH_MS = 1_000;

/**
 * The partitions there are, and questions that go to each of them by itself: on a database that is spread over several
 * machines a partition is on one of them, and one machine that is away must be missed by its own partitions only.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(Partitions.name);
  /** Partitions that gave no answer, and when they may be asked again, by the monotonic clock. */
  readonly #away = new Map<number, number>();
  #highest: number;
  #timers: NodeJS.Timeout[] = [];
  #watching: Promise<unknown> | undefined;
  #stopListening: (() => void) | undefined;
  #growing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly wakeUp: WakeUp,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: Pick<EventStoreOptions, 'partitions' | 'follows'>,
  ) {
    this.#highest = options.partitions;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#stopListening = this.wakeUp.onNews((partition) => {
      this.#highest = Math.max(this.#highest, partition);
    });
    this.#timers = [
      setInterval(() => void (this.#growing = this.#grow()), GROWTH_MS),
      setInterval(() => void (this.#watching ??= this.#watch().finally(() => (this.#watching = undefined))), WATCH_MS),
    ];
    await this.#grow();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#timers.forEach((timer) => clearInterval(timer));
    this.#stopListening?.();
    await this.#growing;
    await this.#watching;
  }

  /** Every partition, the registry's (0) first. They are numbered without gaps. */
  all(): readonly number[] {
    return Array.from({ length: this.#highest + 1 }, (_, partition) => partition);
  }

  /** Those that gave no answer when they were last asked. */
  away(): readonly number[] {
    return [...this.#away.keys()].sort((a, b) => a - b);
  }

  /** Why nobody can be served; `undefined` while anybody can. */
  get problem(): string | undefined {
    return this.#away.size > this.#highest ? 'no partition can be reached' : undefined;
  }

  /**
   * Asks each of the partitions, a few at once. One whose machine has just refused is not asked again for a moment.
   * @param question of one partition
   * @throws DatabaseUnavailable when none of them answers; and what is not the moment's fault
   */
  async ask<T>(partitions: readonly number[], question: (partition: number) => Promise<T>): Promise<Answers<T>> {
    const found: [number, T][] = [];
    const away: number[] = [];
    let fault: unknown;
    const queue = partitions.values();
    const next = async () => {
      for (const partition of queue) {
        try {
          if (this.isAway(partition)) away.push(partition);
          else found.push([partition, await this.#askOne(partition, question)]);
        } catch (error) {
          if (!isOfTheMoment(error)) throw error;
          fault = error;
          away.push(partition);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, partitions.length) }, next));
    if (away.length > 0 && found.length === 0) throw asUnavailable(fault);
    return { found: found.sort(([a], [b]) => a - b), away: away.sort((a, b) => a - b) };
  }

  /** Whether its machine has just refused, and nobody is to ask yet. The one who asks then asks for all. */
  isAway(partition: number): boolean {
    return performance.now() < (this.#away.get(partition) ?? 0);
  }

  async #askOne<T>(partition: number, question: (partition: number) => Promise<T>): Promise<T> {
    const wasAway = this.#away.has(partition);
    if (wasAway) this.#away.set(partition, performance.now() + REST_MS);
    try {
      const answer = await (this.database.isSpread ? inTime(question(partition)) : question(partition));
      if (this.#away.delete(partition)) this.#logger.log({ partition }, 'a partition is back');
      return answer;
    } catch (error) {
      if (this.#isOfNode(error)) {
        if (!this.#away.has(partition)) this.#logger.warn({ err: error, partition }, 'a partition is away');
        this.#away.set(partition, performance.now() + REST_MS);
      }
      throw error;
    }
  }

  /**
   * Whether one machine of several is at fault. The only server, or the coordinator, says so itself where it could not
   * reach another one: a slow statement or a busy moment says nothing of a machine.
   */
  #isOfNode(error: unknown): boolean {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    if (sqlState(cause)?.startsWith('08')) return true;
    return this.database.isSpread && !(cause instanceof AppError) && isConnectionFault(cause);
  }

  /** Who follows the log asks each partition once a second anyway. */
  async #watch(): Promise<void> {
    if (this.options.follows || !this.database.isSpread) return;
    const look = async (partition: number) => {
      await this.database.backgroundQuery({
        name: 'partition-exists',
        text: 'select from log_head where partition = $1',
        values: [partition],
      });
    };
    await Promise.all(this.all().map((partition) => this.ask([partition], look).catch(() => undefined)));
  }

  /** Another process may have been started with more of them. */
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
      // That it is away, those say who need it.
    }
  }
}

/** Of what did not answer in time nothing more is to be heard. @throws DatabaseUnavailable */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable(new Silent())), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

class Silent extends Error {
  constructor() {
    super(`no answer for ${PATIENCE_MS} ms`);
  }
}

function isOfTheMoment(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return !(error instanceof AppError) && classifyFault(error) === 'transient';
}

function asUnavailable(fault: unknown): DatabaseUnavailable {
  return fault instanceof DatabaseUnavailable ? fault : new DatabaseUnavailable(fault);
}
