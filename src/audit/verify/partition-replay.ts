import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsyncProjection, EventFold, Follower, InlineProjection, RecordedEvent } from '../../event-store/index.js';
import { type AddedSums, AddedTablesCheck } from './projections/added-tables-check.js';
import { AsyncProjectionCheck } from './projections/async-projection-check.js';
import { type FixedProjection, FixedRowsCheck, isFixed } from './projections/fixed-rows-check.js';
import { Attempts } from './attempts.js';
import { UndoneCheck } from './intentions/undone-check.js';
import { IntentionsCheck } from './intentions/intentions-check.js';
import { KeptRowsCheck } from './intentions/kept-rows-check.js';
import { KeptStatesCheck } from './intentions/kept-states-check.js';
import { readReached } from './log/log-state.js';
import { contradicting } from './events/contradicting.js';
import { drawnFromHolds } from './events/drawn-from-holds.js';
import { listedOnce } from './events/listed-once.js';
import { paymentsOnce } from './events/payments-once.js';
import { checkSum, postingsFold } from './events/postings-fold.js';
import { WaitingHolds } from './events/waiting-holds.js';
import { allRows, checkProjection, rowsOfKeys } from './projections/projection-check.js';
import { ReplayedEvents, type ReplayedLog } from './replayed-events.js';
import { type FoldFault, type FoldOptions, type FoldedRow, SpillingFold } from './folds/spilling-fold.js';
import type { TableSum, TableToSum } from './projections/sum-table.js';

/** The inputs of a replay. */
export interface ReplayContext extends ReplayedLog {
  /** For files; removed by the caller. */
  readonly folder: string;
  /** Rows of one projection in memory. */
  readonly budget: number;
  readonly inline: readonly InlineProjection[];
  readonly following: readonly AsyncProjection[];
  /** Sagas whose rows are compared with the log, and the sums of tables that add up; absent: not checked. */
  readonly sagas?: readonly Follower[];
  /** As of `IntentionsContext`. */
  readonly at?: () => Date;
  readonly added?: ReadonlyMap<string, AddedSums>;
  /** Checkpoints of async projections when the verification began. */
  readonly reached: ReadonlyMap<string, bigint>;
  /** Whether the postings are checked too: their sums, and the accounts' numbering. */
  readonly checksPostings: boolean;
  /** Called with every page of events. */
  onPage?(page: readonly RecordedEvent[]): Promise<void>;
  /** Called for each wrong row. */
  onWrong?(projection: InlineProjection, key: string): void;
}

interface FoldedProjection {
  readonly projection: InlineProjection;
  readonly fold: SpillingFold<unknown>;
}

type SagaCheck = KeptRowsCheck | KeptStatesCheck | IntentionsCheck | UndoneCheck;

/** Replays one partition: checks the postings, and compares every projection's rows with those of the events. */
export class PartitionReplay {
  readonly #folded: readonly FoldedProjection[];
  readonly #checks: readonly (AsyncProjectionCheck | FixedRowsCheck)[];
  /** Folds that check the postings, besides their sums. */
  readonly #postings: readonly SpillingFold<unknown>[];
  readonly #waiting: WaitingHolds;
  readonly #sagas: readonly SagaCheck[];
  readonly #events: ReplayedEvents;
  readonly #attempts: Attempts;

  constructor(private readonly context: ReplayContext) {
    const { inline, following, findings } = context;
    this.#attempts = new Attempts(context);
    this.#events = new ReplayedEvents(context);
    const key = randomBytes(32).toString('hex');
    this.#folded = inline.filter((one) => !isFixed(one)).map((projection) => this.#folding(projection));
    this.#postings = [
      this.#fold(postingsFold(findings)),
      this.#fold(paymentsOnce(findings)),
      this.#fold(drawnFromHolds(findings)),
      this.#fold(listedOnce(findings)),
    ];
    this.#waiting = new WaitingHolds(findings);
    this.#sagas = (context.sagas ?? []).flatMap((saga) => this.#kept(saga));
    this.#checks = [
      ...following.map((projection) => this.#followed(projection, key)),
      ...inline.filter(isFixed).map((projection) => this.#fixed(projection, key)),
    ];
  }

  /** The tables whose sums `finish` expects, in this order. */
  get tables(): (TableToSum | undefined)[] {
    return this.#checks.map(({ table }) => table);
  }

  /** @param onProgress called with the positions replayed so far */
  async run(onProgress: (replayed: bigint) => void): Promise<void> {
    const { checksPostings } = this.context;
    const folds = this.#folded.map(({ fold }) => fold);
    for await (const { events: page, position } of this.#events.pages()) {
      for (const event of page) {
        if (checksPostings) this.#checkPostings(event);
        for (const fold of folds) fold.apply(event);
      }
      for (const check of [...this.#checks, ...this.#sagas]) {
        await this.#attempts.run(check.check, check, () => check.examine(page));
      }
      await this.context.onPage?.(page);
      onProgress(position);
    }
    this.#waiting.finish();
    for (const fold of this.#postings) for (const _row of fold.rows()) continue;
    for (const { projection, fold } of this.#folded) {
      await this.#attempts.run(`rows of ${projection.name}`, projection, () => this.#compareAll(projection, fold));
    }
  }

  #checkPostings(event: RecordedEvent): void {
    try {
      checkSum(event, this.context.findings);
      this.#waiting.examine(event);
    } catch (error) {
      this.#events.reportFault(event, 'postings', error);
    }
    for (const fold of this.#postings) fold.apply(event);
  }

  /** @param sums of `tables` */
  async finish(sums: readonly (TableSum | undefined)[]): Promise<void> {
    for (const [i, check] of this.#checks.entries()) {
      await this.#attempts.run(check.check, check, () => check.finish(sums[i]));
    }
    for (const check of this.#sagas) await this.#attempts.run(check.check, check, () => check.finish());
  }

  #folding(projection: InlineProjection): FoldedProjection {
    return { projection, fold: this.#fold(this.#decided(projection)) };
  }

  /** Where the postings are checked, what was decided on a row is too. */
  #decided(projection: InlineProjection): EventFold<unknown> {
    return this.context.checksPostings ? contradicting(projection, this.context.findings) : projection;
  }

  #fold<Row>(
    folded: EventFold<Row>,
    { folder = this.context.folder, ...options }: FoldOptions<Row> & { folder?: string } = {},
  ): SpillingFold<unknown> {
    const onFault: FoldFault = (error, event, key) =>
      this.#events.reportFault(event, key === undefined ? folded.name : `${folded.name} ${key}`, error);
    return new SpillingFold<Row>(folded, folder, this.context.budget, onFault, options);
  }

  #fixed(projection: FixedProjection, key: string): FixedRowsCheck {
    const { database, partition, findings, size, folder } = this.context;
    const others = join(folder, `${projection.name}-others`);
    return new FixedRowsCheck(projection, {
      ...{ findings, key, upTo: size, others },
      fold: (take) => this.#fold(this.#decided(projection), { take }),
      reachedNow: () => this.#events.headNow(),
      compareOthers: (rows) => this.#compare(projection, rows, rowsOfKeys(projection, database, partition, others)),
      compareAll: () => this.#foldAgain(projection),
    });
  }

  #followed(projection: AsyncProjection, key: string): AsyncProjectionCheck {
    const { database, partition, findings, reached, size } = this.context;
    const upTo = reached.get(projection.name) ?? 0n;
    const again = () => this.#events.again(upTo < size ? upTo : size);
    const onFault = this.#faultOf(projection.name);
    const reachedNow = async () => (await readReached(database, partition)).get(projection.name) ?? 0n;
    const own = { upTo, reachedNow, key, again, onFault };
    const sums = this.context.added?.get(projection.name);
    const added =
      projection.adds &&
      sums &&
      new AddedTablesCheck(projection.adds, sums, { findings, partition }, (folded) => this.#fold(folded));
    return new AsyncProjectionCheck(projection, { database, partition, findings, added, ...own });
  }

  #kept(saga: Follower): SagaCheck[] {
    const { keeps, intends, leaves } = saga;
    const { database, partition, findings, reached, at = () => new Date() } = this.context;
    const upTo = reached.get(saga.name) ?? 0n;
    const own = { database, partition, findings, upTo };
    const reachedNow = async () => (await readReached(database, partition)).get(saga.name) ?? 0n;
    const fold = <Row>(folded: EventFold<Row>) => this.#fold(folded) as SpillingFold<Row>;
    const since = () => this.#events.since();
    return [
      ...(keeps ? [new KeptRowsCheck({ ...saga, keeps }, { ...own, reachedNow })] : []),
      ...(keeps?.states
        ? [new KeptStatesCheck({ ...keeps, states: keeps.states }, { ...own, at, fold, reachedNow })]
        : []),
      ...(intends ? [new IntentionsCheck(intends, { ...own, at, fold, since })] : []),
      ...(leaves ? [new UndoneCheck(leaves, findings)] : []),
    ];
  }

  async #foldAgain(projection: InlineProjection): Promise<void> {
    const folder = await mkdtemp(join(this.context.folder, 'again-'));
    const fold = this.#fold(projection, { folder });
    for await (const page of this.#events.again(this.context.size)) page.forEach((event) => fold.apply(event));
    await this.#compareAll(projection, fold);
  }

  #compareAll(projection: InlineProjection, fold: SpillingFold<unknown>): Promise<void> {
    const { database, partition } = this.context;
    return this.#compare(projection, fold.rows(), allRows(projection, database, partition));
  }

  async #compare(
    projection: InlineProjection,
    replayed: Iterable<FoldedRow<unknown>>,
    found: AsyncIterable<readonly unknown[]>,
  ): Promise<void> {
    const { partition, findings, folder, budget } = this.context;
    await checkProjection(projection, replayed, found, {
      ...{ partition, findings, folder, budget },
      onWrong: (key) => this.context.onWrong?.(projection, key),
      since: () => this.#events.since(),
    });
  }

  #faultOf(subject: string) {
    return (error: unknown, event: RecordedEvent) => this.#events.reportFault(event, subject, error);
  }
}
