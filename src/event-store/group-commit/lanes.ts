import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database, type PipelinedConnection } from '../../platform/database/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import { Peers } from '../../platform/workers/index.js';
import { LogPauses } from '../../platform/observability/log-pauses.js';
import { RecentEvents } from '../log/recent-events.js';
import { WakeUp } from '../log/wake-up.js';
import { EventStoreMetrics } from '../metrics.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { assertKeys, WrongKey } from '../subjects/fingerprints.js';
import { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import { BatchWriter } from './batch-writer.js';
import { LaneConnection } from './lane-connection.js';
import { CommandSpans } from './command-spans.js';
import { InlineProjections } from './inline-projections.js';
import { Lane, type LaneEvents } from './lane.js';

/** Calls of other workers: an event is lost. */
const LOST = 'lost-event';
const TOLD_MS = 1_000;

export interface LostEvent {
  readonly partition: number;
  /** In decimal text. */
  readonly position: string;
}

/** The write lanes of this process, one for each partition that it has written to, and what is told of them. */
@Injectable()
export class Lanes implements OnApplicationShutdown {
  readonly #lanes = new Map<number, Lane>();
  readonly #logger = new Logger(Lanes.name);
  readonly #pauses = new LogPauses();
  readonly #lostListeners: ((lost: LostEvent) => void)[] = [];
  #wrongKey: WrongKey | undefined;
  #onContradicted: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly projections: InlineProjections,
    private readonly codec: PersonalDataCodec,
    private readonly wakeUp: WakeUp,
    private readonly recent: RecentEvents,
    private readonly metrics: EventStoreMetrics,
    private readonly spans: CommandSpans,
    private readonly peers: Peers,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
  ) {
    const waiting = () => new Map([...this.#lanes].map(([partition, lane]) => [partition, lane.waiting]));
    metrics.queues(waiting, options.lane.queueSize);
    peers.serve(LOST, async (lost) => this.#tellLost(lost as LostEvent));
    this.onLost(({ partition }) => recent.forget(partition));
  }

  of(partition: number): Lane {
    let lane = this.#lanes.get(partition);
    if (!lane) {
      const connection = new LaneConnection(() => this.#connect(partition));
      const lost = (position: bigint) => this.#events.lost(partition, position);
      const writer = new BatchWriter(partition, connection, this.projections.all(), this.codec, lost);
      lane = new Lane(partition, connection, writer, this.options.lane, this.#events);
      this.#lanes.set(partition, lane);
      this.metrics.lane(partition);
    }
    return lane;
  }

  /** @param listener called when a partition's log contradicts its head, so that it is verified at once */
  onContradicted(listener: () => void): void {
    this.#onContradicted = listener;
  }

  /**
   * Who remembers what this service appended forgets it here.
   * @param listener called in every worker of the service when a log does not have an event that one has answered
   */
  onLost(listener: (lost: LostEvent) => void): void {
    this.#lostListeners.push(listener);
  }

  #tellLost(lost: LostEvent): void {
    this.#lostListeners.forEach((listener) => listener(lost));
  }

  /** The row of an idempotency key names events of another command. */
  keyContradicted(partition: number): void {
    this.#logger.error({ partition }, 'THE LOG CONTRADICTS AN IDEMPOTENCY KEY: its row names what others did');
  }

  /** Why nothing can be written, other than the database; `undefined` while it can. */
  get problem(): string | undefined {
    return this.#wrongKey?.message;
  }

  /** @throws ServiceUnavailable once nothing can be written any more */
  assertUsable(): void {
    if (this.#wrongKey) throw new ServiceUnavailable('This process has to be restarted. Nothing was done.');
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  readonly #events: LaneEvents = {
    batch: (...measured) => {
      this.metrics.batch(...measured);
      this.spans.batch(...measured);
    },
    fault: (partition, error) => {
      this.metrics.fault(partition);
      if (this.#pauses.isDue(`partition ${partition}`, error))
        this.#logger.warn({ err: error, partition }, 'a batch failed');
    },
    contradicted: (partition) => {
      this.#logger.error({ partition }, 'THE LOG CONTRADICTS ITS HEAD: nothing can be appended there');
      this.#onContradicted();
    },
    lost: (partition, position) => {
      this.#logger.error({ partition, position: String(position) }, 'AN EVENT THAT WAS ANSWERED IS NOT IN THE LOG');
      const lost = { partition, position: String(position) };
      this.#tellLost(lost);
      void this.peers.callAll(LOST, lost, TOLD_MS);
    },
    refused: (partition) => {
      this.metrics.refused(partition);
      if (this.#pauses.isDue('refused'))
        this.#logger.warn({ partition }, 'commands are refused: the queue is full or too slow');
    },
    appended: (partition, events) => {
      if (this.options.runsBackground) this.recent.append(partition, events);
      this.wakeUp.signalAppended(partition, new Set(events.map(({ type }) => type)));
    },
  };

  /**
   * While this process had no connection, the master key may have been rotated: keys that it wraps with the old one
   * could never be unwrapped. Either the rotation sees this connection, or this check sees its result.
   * @throws WrongKey
   */
  async #connect(partition: number): Promise<PipelinedConnection> {
    const connection = await this.database.openLane(partition);
    try {
      await assertKeys(connection.guard.length > 0 ? this.database.inBackground : connection, {
        MASTER_KEY: this.options.masterKey,
      });
      return connection;
    } catch (error) {
      if (error instanceof WrongKey) this.#wrongKey = error;
      connection.destroy();
      throw error;
    }
  }
}
