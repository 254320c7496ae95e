import type { EventFold, KeptRows, KeptStates, RecordedEvent } from '../../../event-store/index.js';
import type { FoldedRow, SpillingFold } from '../folds/spilling-fold.js';
import type { FollowerCheckContext } from '../projections/count-rows.js';

const PAGE = 50_000;
const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

export interface StatesContext extends FollowerCheckContext {
  at(): Date;
  fold(folded: EventFold<true>): SpillingFold<true>;
}

interface WrongState extends Record<string, unknown> {
  readonly key: string;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/** What must hold of the states of rows that a saga keeps: the log does not have them. */
export class KeptStatesCheck {
  readonly #fold: SpillingFold<true>;

  constructor(
    private readonly keeps: KeptRows & { readonly states: KeptStates },
    private readonly context: StatesContext,
  ) {
    const { states } = keeps;
    const keysOf = (event: RecordedEvent) => [states.markedBy(event)].filter((key) => key !== undefined);
    this.#fold = context.fold({ name: 'marks', keysOf, evolve: () => true });
  }

  get check(): string {
    return `rows of ${this.keeps.name}`;
  }

  examine(page: readonly RecordedEvent[]): void {
    const { upTo } = this.context;
    for (const event of page) {
      if (event.position <= upTo && this.keeps.states.markedBy(event) !== undefined) this.#fold.apply(event);
    }
  }

  async finish(): Promise<void> {
    const { database, partition } = this.context;
    const { states } = this.keeps;
    const wrong = await database.backgroundQuery<WrongState>(states.wrong(partition, this.context.at()));
    for (const one of wrong) this.#report(null, one);
    await this.#compareMarks();
  }

  /** Merges both sides, in key order. */
  async #compareMarks(): Promise<void> {
    const marks = this.#fold.rows();
    let next = marks.next();
    const takeUntil = (key: string | null): FoldedRow<true> | undefined => {
      for (; !next.done && (key === null || next.value.key < key); next = marks.next()) {
        this.#wrongMark(next.value.key, next.value.position, 'nothing');
      }
      if (next.done || next.value.key !== key) return undefined;
      const { value } = next;
      next = marks.next();
      return value;
    };
    for await (const { key, position } of this.#rows()) {
      const newest = takeUntil(key)?.position ?? 0n;
      const found = BigInt(position);
      const isLater = found > this.context.upTo && found <= (await this.context.reachedNow());
      if (!isLater && found !== newest) this.#wrongMark(key, newest, String(found));
    }
    takeUntil(null);
  }

  #wrongMark(key: string, newest: bigint, found: string): void {
    this.#report(newest || null, { key, field: this.keeps.states.mark, expected: String(newest), found });
  }

  async *#rows(): AsyncGenerator<{ key: string; position: string }, void, undefined> {
    const { database, partition } = this.context;
    for (let after = FIRST_KEY; ;) {
      const rows = await database.backgroundQuery<{ key: string; position: string }>(
        this.keeps.states.marks(partition, after, PAGE),
      );
      yield* rows;
      if (rows.length === 0) return;
      after = rows.at(-1)!.key;
    }
  }

  #report(position: bigint | null, { key, field, expected, found }: WrongState): void {
    const { name } = this.keeps;
    const { findings, partition } = this.context;
    findings.report({
      check: this.check,
      partition,
      position,
      subject: `${name} ${key}`,
      field,
      expected,
      found,
    });
  }
}
