import type { KeyObject } from 'node:crypto';
import type { PersonalDataCodec, RecordedEvent, Sealed } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';

const CHECK = 'subject keys';
/** Cached keys of subjects: each costs one look-up, with bounded memory. */
const CACHED = 20_000;

interface Found {
  readonly subject: string;
  readonly lookup: Buffer | null;
  readonly wrapped: Buffer | null;
  readonly forgotten: boolean;
}

/** A sealed value and its event. */
interface Place {
  readonly sealed: Sealed;
  readonly position: bigint;
}

/**
 * Every subject of the log has a key that opens its sealed values, or an event that it was forgotten: a deleted or
 * damaged key would look like a lawful erasure. One value of each subject is opened; with `deep` all are.
 */
export class SubjectKeysCheck {
  readonly #seen = new Map<string, KeyObject | undefined>();

  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
    private readonly findings: Findings,
    private readonly partition: number,
    private readonly deep: boolean,
  ) {}

  /** The next page of events. */
  async examine(page: readonly RecordedEvent[]): Promise<void> {
    const places = page.flatMap(({ data, position }) => sealedIn(data).map((sealed) => ({ sealed, position })));
    const firsts = new Map<string, Place>();
    for (const place of places) {
      const { subject } = place.sealed;
      if (!this.#seen.has(subject) && !firsts.has(subject)) firsts.set(subject, place);
    }
    if (this.#seen.size + firsts.size > CACHED) this.#seen.clear();
    if (firsts.size > 0) await this.#lookUp(firsts);
    if (!this.deep) return;
    for (const place of places) {
      const key = this.#seen.get(place.sealed.subject);
      if (key && firsts.get(place.sealed.subject) !== place) this.#open(place, key);
    }
  }

  /** One statement reads key and mark, so that a subject that is forgotten meanwhile has exactly one of them. */
  async #lookUp(places: ReadonlyMap<string, Place>): Promise<void> {
    const rows = await this.database.backgroundQuery<Found & Record<string, unknown>>({
      name: 'verify-subject-keys',
      text: `
        select n.subject, k.lookup, k.wrapped_key as wrapped, f.subject is not null as forgotten
        from unnest($2::uuid[]) as n (subject)
        left join subject_key k on k.partition = $1 and k.subject = n.subject
        left join forgotten_subject f on f.partition = $1 and f.subject = n.subject`,
      values: [this.partition, [...places.keys()]],
    });
    for (const row of rows) {
      this.findings.saw(CHECK);
      this.#seen.set(row.subject, this.#checked(row, places.get(row.subject)!));
    }
  }

  /** The subject's key, if it is valid. */
  #checked({ subject, lookup, wrapped, forgotten }: Found, place: Place): KeyObject | undefined {
    if (wrapped === null || lookup === null) {
      if (!forgotten) this.#wrong(place, 'key', 'a key, or SubjectForgotten', 'nothing');
      return undefined;
    }
    if (forgotten) {
      this.#wrong(place, 'key', 'nothing: the subject was forgotten', 'a key');
      return undefined;
    }
    try {
      const key = this.codec.unwrap({ id: subject, lookup, wrapped });
      return this.#open(place, key) ? key : undefined;
    } catch (error) {
      this.#wrong(place, 'key', 'a key that the master key unwraps', show((error as Error).message));
      return undefined;
    }
  }

  #open(place: Place, key: KeyObject): boolean {
    try {
      this.codec.open(place.sealed, key);
      return true;
    } catch (error) {
      this.#wrong(place, 'sealed', 'a value that its key opens', show((error as Error).message));
      return false;
    }
  }

  #wrong({ sealed, position }: Place, field: string, expected: string, found: string): void {
    const { partition } = this;
    const subject = `subject ${sealed.subject}`;
    this.findings.report({ check: CHECK, partition, position, subject, field, expected, found });
  }
}

/** Personal values are top-level members of an event's data. */
function sealedIn(data: unknown): Sealed[] {
  return Object.values(data as object).filter(
    (value: unknown): value is Sealed =>
      typeof value === 'object' && value !== null && 'sealed' in value && 'subject' in value,
  );
}
