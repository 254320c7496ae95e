import type { KeyObject } from 'node:crypto';
import { partitionOf, type PersonalDataCodec, type RecordedEvent } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';
import { namesItsSubject, ownerIn, type Place, sealedIn, subjectNamedBy } from './named-subject.js';

export const SUBJECT_KEYS = 'subject keys';
const LOOKUPS = 'subject look-ups';
/** Cached keys of subjects: each costs one look-up, with bounded memory. */
const CACHED = 20_000;

interface Found {
  readonly subject: string;
  readonly lookup: Buffer | null;
  readonly wrapped: Buffer | null;
  readonly forgotten: boolean;
}

/** A valid key, and by what its row is found. */
interface Known {
  readonly key: KeyObject;
  readonly lookup: Buffer;
  /** Whether it is that of the person whom a value names; absent until one did. */
  isOwn?: boolean;
}

export interface SubjectKeysOptions {
  readonly database: Database;
  readonly codec: PersonalDataCodec;
  readonly findings: Findings;
  readonly partition: number;
  /** Opens all values, not one of each subject. */
  readonly deep: boolean;
  /** Whether the key of look-ups is known. */
  readonly hasLookupKey: boolean;
}

/**
 * Every subject of the log has a key that opens its sealed values, or an event that it was forgotten: a deleted or
 * damaged key would look like a lawful erasure. The key is found by the person whom a value names: otherwise another
 * person's payouts would be counted, and another's key destroyed. One value of each subject is opened, and one more
 * where that names nobody; with `deep` all are.
 */
export class SubjectKeysCheck {
  readonly #seen = new Map<string, Known | undefined>();

  constructor(private readonly options: SubjectKeysOptions) {}

  /** The next page of events. */
  async examine(page: readonly RecordedEvent[]): Promise<void> {
    const places = page.flatMap(sealedIn);
    const firsts = new Map<string, Place>();
    for (const place of places) {
      const { subject } = place.sealed;
      if (!this.#seen.has(subject) && !firsts.has(subject)) firsts.set(subject, place);
    }
    if (firsts.size > 0) await this.#lookUp(firsts);
    const partners = await this.#partnersOf(places.filter((place) => this.#isCompared(place)));
    for (const place of places) {
      const { subject } = place.sealed;
      const known = this.#seen.get(subject);
      const isFirst = firsts.get(subject) === place;
      if (!known || !(isFirst || this.options.deep || this.#isCompared(place))) continue;
      if (!this.#open(place, known, partners) && isFirst) this.#seen.set(subject, undefined);
    }
    if (this.#seen.size > CACHED) this.#seen.clear();
  }

  /** One statement reads key and mark, so that a subject that is forgotten meanwhile has exactly one of them. */
  async #lookUp(places: ReadonlyMap<string, Place>): Promise<void> {
    const { database, findings, partition } = this.options;
    const rows = await database.backgroundQuery<Found & Record<string, unknown>>({
      name: 'verify-subject-keys',
      text: `
        select n.subject, k.lookup, k.wrapped_key as wrapped, f.subject is not null as forgotten
        from unnest($2::uuid[]) as n (subject)
        left join subject_key k on k.partition = $1 and k.subject = n.subject
        left join forgotten_subject f on f.partition = $1 and f.subject = n.subject`,
      values: [partition, [...places.keys()]],
    });
    for (const row of rows) {
      findings.saw(SUBJECT_KEYS);
      this.#seen.set(row.subject, this.#known(row, places.get(row.subject)!));
    }
  }

  /** The subject's key, if it is valid. */
  #known({ subject, lookup, wrapped, forgotten }: Found, place: Place): Known | undefined {
    if (wrapped === null || lookup === null) {
      if (!forgotten) this.#wrong(SUBJECT_KEYS, place, 'key', 'a key, or SubjectForgotten', 'nothing');
      return undefined;
    }
    if (forgotten) {
      this.#wrong(SUBJECT_KEYS, place, 'key', 'nothing: the subject was forgotten', 'a key');
      return undefined;
    }
    try {
      return { key: this.options.codec.unwrap({ id: subject, lookup, wrapped }), lookup };
    } catch (error) {
      this.#wrong(SUBJECT_KEYS, place, 'key', 'a key that the master key unwraps', show((error as Error).message));
      return undefined;
    }
  }

  #isCompared({ sealed: { subject }, member }: Place): boolean {
    const known = this.#seen.get(subject);
    if (!known || !this.options.hasLookupKey || !namesItsSubject(member)) return false;
    return known.isOwn === undefined || (known.isOwn && this.options.deep);
  }

  /** By the account or the transaction of events that do not say whose they are. */
  async #partnersOf(places: readonly Place[]): Promise<ReadonlyMap<string, string>> {
    const owners = places.map(({ event }) => ownerIn(event));
    const ids = owners.flatMap(({ partner, of }) => (partner === undefined && of && partitionOf(of) ? [of] : []));
    if (ids.length === 0) return new Map();
    const { database, partition } = this.options;
    const rows = await database.backgroundQuery<{ id: string; partner: string }>({
      name: 'verify-partners-of',
      text: `
        select n.id, a.partner_uid as partner
        from unnest($2::uuid[]) as n (id)
        left join transaction t on t.partition = $1 and t.id = n.id
        join account a on a.partition = $1 and a.uid = coalesce(t.account_uid, n.id)`,
      values: [partition, [...new Set(ids)]],
    });
    return new Map(rows.map(({ id, partner }) => [id, partner]));
  }

  #open(place: Place, known: Known, partners: ReadonlyMap<string, string>): boolean {
    let value: unknown;
    try {
      value = this.options.codec.open(place.sealed, known.key);
    } catch (error) {
      this.#wrong(SUBJECT_KEYS, place, 'sealed', 'a value that its key opens', show((error as Error).message));
      return false;
    }
    if (this.#isCompared(place)) this.#compare(place, value, known, partners);
    return true;
  }

  #compare(place: Place, value: unknown, known: Known, partners: ReadonlyMap<string, string>): void {
    const { partner, of } = ownerIn(place.event);
    const named = subjectNamedBy(place.event, value, partner ?? (of && partners.get(of)));
    if (!named) return;
    const { codec, findings } = this.options;
    if (known.isOwn === undefined) findings.saw(LOOKUPS);
    known.isOwn = codec.lookupOf(named).equals(known.lookup);
    if (!known.isOwn) this.#wrong(LOOKUPS, place, 'lookup', 'that of the person whom it names', show(known.lookup));
  }

  #wrong(check: string, { sealed, event }: Place, field: string, expected: string, found: string): void {
    const { findings, partition } = this.options;
    const subject = `subject ${sealed.subject}`;
    findings.report({ check, partition, position: event.position, subject, field, expected, found });
  }
}
