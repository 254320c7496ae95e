import type { EventFold, Intention, Intentions, RecordedEvent } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';
import type { FoldedRow, SpillingFold } from '../folds/spilling-fold.js';
import { postponed, TIMES, WORK, type WorkTimes } from './work-times.js';

const PAGE = 5_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface State {
  readonly begun: Intention | null;
  /** Its saga has processed the event: the row was written. */
  readonly isDue: boolean;
  readonly ended: boolean;
}

interface WorkRow extends Omit<Intention, 'dueAt'>, WorkTimes {
  readonly key: string;
}

export interface IntentionsContext {
  readonly database: Database;
  readonly findings: Findings;
  readonly partition: number;
  /** The saga's checkpoint when the verification began. */
  readonly upTo: bigint;
  /** The present, by the log and by our clock; a verification may take hours. */
  at(): Date;
  fold(folded: EventFold<State>): SpillingFold<State>;
  /** Events appended after the examined ones. */
  since(): AsyncIterable<readonly RecordedEvent[]>;
}

interface Suspect {
  readonly key: string;
  readonly position: bigint | null;
  readonly begun: Intention | null;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Compares open work (`work`) with the log: work that an event began and none has ended must have a row, or it would
 * never be done, that is due in time; and no row may lack its event, or differ in payload, or it would be done wrongly.
 */
export class IntentionsCheck {
  readonly #fold: SpillingFold<State>;

  constructor(
    private readonly intends: Intentions,
    private readonly context: IntentionsContext,
  ) {
    this.#fold = context.fold(this.#folded());
  }

  get check(): string {
    return WORK;
  }

  examine(page: readonly RecordedEvent[]): void {
    for (const event of page) if (this.intends.types.has(event.type)) this.#fold.apply(event);
  }

  async finish(): Promise<void> {
    const suspects = await this.#suspects();
    if (suspects.length === 0) return;
    // Events appended meanwhile may have begun a row that is present, or ended one that is missing.
    const since = new Map<string, State>();
    const folded = this.#folded();
    for await (const page of this.context.since()) {
      for (const event of page) {
        if (!this.intends.types.has(event.type)) continue;
        for (const key of folded.keysOf(event)) since.set(key, folded.evolve(since.get(key), event, key));
      }
    }
    for (const suspect of suspects) this.#judge(suspect, since.get(suspect.key));
  }

  #judge(suspect: Suspect, now: State | undefined): void {
    const { findings, partition } = this.context;
    if (suspect.field === 'row' && now && (suspect.begun ? now.ended : now.begun)) return;
    const { key, position, field, expected, found } = suspect;
    findings.report({ check: WORK, partition, position, subject: `work ${key}`, field, expected, found });
  }

  #folded(): EventFold<State> {
    const { intends } = this;
    const { upTo } = this.context;
    const begun = (event: RecordedEvent) => intends.begunBy(event).map((one) => [keyOf(intends, one), one] as const);
    return {
      name: 'intentions',
      keysOf: (event) => [...new Set([...begun(event).map(([key]) => key), ...intends.endedBy(event)])],
      evolve: (before, event, key) => ({
        begun: begun(event).find(([one]) => one === key)?.[1] ?? before?.begun ?? null,
        isDue: (before?.isDue ?? false) || event.position <= upTo,
        ended: (before?.ended ?? false) || intends.endedBy(event).includes(key),
      }),
    };
  }

  /** Merges both sides, in key order. */
  async #suspects(): Promise<Suspect[]> {
    const suspects: Suspect[] = [];
    const states = this.#fold.rows();
    let next = states.next();
    const skipTo = (until: string | null) => {
      for (; !next.done && (until === null || next.value.key < until); next = states.next()) {
        const missing = missingOf(next.value);
        if (missing) suspects.push(missing);
      }
    };
    for await (const found of this.#rows()) {
      this.context.findings.saw(WORK);
      skipTo(found.key);
      const known = !next.done && next.value.key === found.key ? next.value : undefined;
      const wrong = wrongWith(found, known, this.intends, this.context.at());
      if (wrong) suspects.push(wrong);
      if (known) next = states.next();
    }
    skipTo(null);
    return suspects;
  }

  /** In the order of keys. Rows may have one key: only one of them is right. */
  async *#rows(): AsyncGenerator<WorkRow, void, undefined> {
    const { database, partition } = this.context;
    const kinds = [...this.intends.kinds];
    const bySubject = kinds.filter(([, name]) => name === 'subject').map(([kind]) => kind);
    for (let [key, id] = ['', FIRST_ID]; ;) {
      const rows = await database.backgroundQuery<WorkRow & Record<string, unknown>>({
        name: 'verify-work',
        text: `
          select key, id, kind, subject, payload, ${TIMES}
          from (
            select (case when kind = any($3::text[]) then subject else id end || '/' || kind) collate "C" as key,
              id, kind, subject, payload, due_at, leased_until
            from work where partition = $1 and kind = any($2::text[])) as w
          where (key, id) > ($4, $5::uuid)
          order by key, id limit ${PAGE}`,
        values: [partition, kinds.map(([kind]) => kind), bySubject, key, id],
      });
      yield* rows;
      if (rows.length < PAGE) return;
      ({ key, id } = rows.at(-1)!);
    }
  }
}

function keyOf(intends: Intentions, { id, kind, subject }: Intention): string {
  return `${intends.kinds.get(kind) === 'subject' ? subject : id}/${kind}`;
}

function missingOf({ key, row, position }: FoldedRow<State>): Suspect | undefined {
  if (!row?.begun || !row.isDue || row.ended) return undefined;
  const expected = 'work that was begun and has not ended';
  return { key, position, begun: row.begun, field: 'row', expected, found: 'nothing' };
}

/** Ended work may still have a row: its worker may have crashed before deleting it. */
function wrongWith(
  { key, ...found }: WorkRow,
  known: FoldedRow<State> | undefined,
  { namedNoOwner }: Intentions,
  at: Date,
): Suspect | undefined {
  const begun = known?.row?.begun;
  if (!begun) {
    const expected = 'an event that began it';
    return { key, position: null, begun: null, field: 'row', expected, found: 'nothing' };
  }
  const isOlder = namedNoOwner?.has(found.kind) && text(found.payload) === text(withoutOwner(begun.payload));
  const compared = ['id', 'kind', 'subject', ...(isOlder ? [] : (['payload'] as const))] as const;
  const field = compared.find((name) => text(begun[name]) !== text(found[name]));
  if (field)
    return { key, position: known.position, begun, field, expected: text(begun[field]), found: text(found[field]) };
  const late = postponed(found, begun.dueAt, at);
  return late && { key, position: known.position, begun, ...late };
}

/** Where nothing else is carried, earlier versions carried nothing. */
function withoutOwner(payload: unknown): unknown {
  const { partnerUid: _, ...others } = (payload ?? {}) as { readonly partnerUid?: string };
  return Object.keys(others).length === 0 ? null : others;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
