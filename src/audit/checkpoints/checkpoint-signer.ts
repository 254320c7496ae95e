import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Ledger, Partitions } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { Readiness } from '../../platform/health/readiness.js';
import { HistoryAltered, NotYetCovered } from '../errors.js';
import { TreeGrowth } from '../tree/tree-growth.js';
import { TreeNodes } from '../tree/tree-nodes.js';
import { provesConsistency } from '../tree/verify-proof.js';
import { CheckpointKey } from './checkpoint-key.js';
import { CheckpointFiles } from './checkpoint-files.js';
import { CheckpointMetrics } from './checkpoint-metrics.js';
import { CheckpointStore, type StoredCheckpoint } from './checkpoint-store.js';
import { type Checkpoint, checkpointIn } from './note.js';
import { Witness } from './witness.js';

interface Head {
  readonly partition: number;
  readonly size: bigint;
  readonly root: Buffer;
}

/**
 * Signs the head of every partition with new events, at an interval. It signs only events that it has hashed from their
 * bytes itself, and only trees that are proved consistent with the last checkpoint, in the database and in this
 * process's own files. A log that was rewritten is never signed again: metrics and readiness report it.
 */
@Injectable()
export class CheckpointSigner implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(CheckpointSigner.name);
  readonly #nodes: TreeNodes;
  /** Partitions of which nothing is signed, with the reason. */
  readonly #refused = new Map<number, HistoryAltered>();
  /** Partitions that were put back behind an answer; only a restart of this process ends that. */
  readonly #lost = new Map<number, HistoryAltered>();
  /** Notes of the database without a signature by the present key, by partition: each is logged once. */
  readonly #unsigned = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;
  #signing: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly growth: TreeGrowth,
    private readonly key: CheckpointKey,
    private readonly store: CheckpointStore,
    private readonly files: CheckpointFiles,
    private readonly metrics: CheckpointMetrics,
    private readonly witness: Witness,
    ledger: Ledger,
    readiness: Readiness,
  ) {
    this.#nodes = new TreeNodes(database.inBackground);
    // A round in progress may be past that partition.
    const signOnceMore = () => void (this.#signing ?? Promise.resolve()).then(() => this.signAll());
    ledger.onContradicted(signOnceMore);
    ledger.onLost(({ partition, position }) => {
      this.#lost.set(
        partition,
        new HistoryAltered(partition, BigInt(position), 'this event was answered, and is gone'),
      );
      signOnceMore();
    });
    readiness.register(() => this.#problem());
  }

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.signAll(), this.config.checkpoints.intervalSeconds * 1000);
    void this.signAll();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#signing;
  }

  /** One round over all partitions; rounds never overlap. A failure is logged, and retried in the next round. */
  signAll(): Promise<void> {
    this.#signing ??= this.#round()
      .catch((error: unknown) => this.#logger.warn({ err: error }, 'no checkpoints could be signed'))
      .finally(() => (this.#signing = undefined));
    return this.#signing;
  }

  async #round(): Promise<void> {
    for (const partition of this.partitions.all()) {
      try {
        const lost = this.#lost.get(partition);
        if (lost) throw lost;
        if (this.config.role === 'api' || !this.partitions.owns(partition)) await this.#compare(partition);
        else await this.#sign(partition);
        this.metrics.sound(partition);
        this.#refused.delete(partition);
      } catch (error) {
        if (error instanceof HistoryAltered) {
          this.metrics.refused(partition);
          this.#refused.set(partition, error);
          this.#logger.error({ err: error, partition }, 'THE HISTORY WAS ALTERED: no checkpoint is signed');
        } else {
          this.#logger.warn({ err: error, partition }, 'a checkpoint could not be signed');
        }
      }
    }
  }

  async #sign(partition: number): Promise<void> {
    const { stored, saved, head, fromStore, fromFile, known } = await this.#known(partition);
    const { size } = head;
    if (!(await this.growth.reach(partition, size))) return;
    await this.#assertContinues(head, known);
    const [storeSize, fileSize] = [(stored && this.#signedSize(stored)) ?? 0n, fromFile?.size ?? 0n];
    if (size > storeSize && size > fileSize) await this.#signNew(head, storeSize > fileSize ? storeSize : fileSize);
    else if (fileSize > (fromStore?.size ?? 0n)) await this.#restore(partition, fromFile!, saved!);
    else if (storeSize > fileSize) await this.files.save(partition, stored!.note);
  }

  /**
   * The size that the present key has signed. Any other note of the database is compared with the log only: it is of a
   * retired key, until the next is signed, or of a forger, whom it would serve in the place of the one outside.
   */
  #signedSize({ partition, size, note }: StoredCheckpoint): bigint | undefined {
    const signed = this.key.signedIn(partition, note);
    if (!signed && this.#unsigned.get(partition) !== note) {
      this.#unsigned.set(partition, note);
      const problem = 'the newest checkpoint of the database is not signed by the present key: it counts as none';
      // So it is after a change of the key.
      const level = this.key.signedByAnother(partition, note) ? 'warn' : 'error';
      this.#logger[level]({ partition, size: String(size) }, problem);
    }
    return signed?.size;
  }

  /** A process that neither signs nor builds the tree compares as far as the tree reaches. */
  async #compare(partition: number): Promise<void> {
    const { head, known } = await this.#known(partition);
    try {
      assertReaches(head, known);
      await this.#assertContinues(head, known);
    } catch (error) {
      if (!(error instanceof NotYetCovered)) throw error;
    }
  }

  async #known(partition: number) {
    const stored = await this.store.newest(partition, this.database.inBackground);
    const saved = await this.files.newest(partition);
    // The head is read last: a checkpoint that is signed meanwhile must not look like missing events.
    const head = await this.#head(partition);
    const fromStore = stored && checkpointIn(stored.note);
    const fromFile = saved === undefined ? undefined : this.files.parse(partition, saved);
    const known = [fromStore, fromFile].filter((checkpoint) => checkpoint !== undefined);
    return { stored, saved, head, fromStore, fromFile, known };
  }

  #problem(): string | undefined {
    const [first] = this.#refused.values();
    return first && `the history was altered: ${first.message}`;
  }

  /** Files first: after a crash between the two the next round adds to the database what it lacks, or a newer one. */
  async #signNew({ partition, size, root }: Head, earlier: bigint): Promise<void> {
    const note = await this.witness.cosigned({
      ...{ partition, size, root, earlier, origin: this.key.originOf(partition) },
      note: this.key.sign(partition, size, root),
      consistency: (from) => this.#nodes.consistency(partition, from, size),
      reaches: async (seen) => (await this.#head(partition)).size >= seen,
    });
    if (note === undefined) return;
    const signedAt = new Date();
    await this.files.save(partition, note);
    await this.store.add({ partition, size, root, note, signedAt });
    this.metrics.signed(partition, size, signedAt);
  }

  async #restore(partition: number, { size, root }: Checkpoint, note: string): Promise<void> {
    await this.store.add({ partition, size, root, note, signedAt: new Date() });
  }

  async #head(partition: number): Promise<Head> {
    const [row] = await this.database.backgroundQuery<{
      position: string;
      root: Buffer;
      beyond: string | null;
      is_at_its_event: boolean;
    }>({
      name: 'log-head-with-root',
      text: `
        select h.position, h.root, e.position as beyond,
          h.position = 0 and h.time = to_timestamp(0) or exists (
            select from event where partition = $1 and position = h.position and time = h.time) as is_at_its_event
        from log_head h
        left join event e on e.partition = $1 and e.position > h.position
        where h.partition = $1
        order by e.position limit 1`,
      values: [partition],
    });
    if (!row) throw new HistoryAltered(partition, 0n, 'its head is gone');
    const { position, root, beyond, is_at_its_event: isAtItsEvent } = row;
    if (beyond !== null) {
      throw new HistoryAltered(partition, BigInt(beyond), `an event stands beyond the head, which is at ${position}`);
    }
    if (!isAtItsEvent) {
      throw new HistoryAltered(partition, BigInt(position), 'the head has not the position and time of an event');
    }
    return { partition, size: BigInt(position), root };
  }

  async #assertContinues({ partition, size, root }: Head, earlier: readonly Checkpoint[]): Promise<void> {
    if (!(await this.#nodes.root(partition, size)).equals(root)) {
      throw new HistoryAltered(partition, size, 'the root of the head is not that of the events');
    }
    assertReaches({ partition, size }, earlier);
    for (const checkpoint of earlier) {
      const proof = await this.#nodes.consistency(partition, checkpoint.size, size);
      if (!provesConsistency(checkpoint.size, checkpoint.root, size, root, proof)) {
        const problem = 'the events up to here are not those of the checkpoint that was signed';
        throw new HistoryAltered(partition, checkpoint.size, problem);
      }
    }
  }
}

/** @throws HistoryAltered if signed events are missing */
function assertReaches({ partition, size }: Pick<Head, 'partition' | 'size'>, known: readonly Checkpoint[]): void {
  const beyond = known.find((checkpoint) => checkpoint.size > size);
  if (!beyond) return;
  const problem = `a checkpoint of ${beyond.size} events was signed, and they are gone`;
  throw new HistoryAltered(partition, size + 1n, problem);
}
