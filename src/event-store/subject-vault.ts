import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { parseSubjectKey } from './batch-statements.js';
import { PersonalDataCodec, type Sealed } from './personal-data.js';

const CACHE_ENTRIES = 10_000;
const CACHE_MS = 1_000;

/** Opens sealed personal data on the reading side. */
@Injectable()
export class SubjectVault {
  readonly #keys = new Map<string, { key: Buffer | null; until: number }>();

  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
  ) {}

  /** The plain values, in order; `null` where the subject was forgotten. One query at most. */
  async openAll<T>(partition: number, sealed: readonly Sealed<T>[]): Promise<(T | null)[]> {
    const now = performance.now();
    const keys = new Map<string, Buffer | null>();
    const missing = new Set<string>();
    for (const { subject } of sealed) {
      const cached = this.#keys.get(subject);
      if (cached && cached.until > now) keys.set(subject, cached.key);
      else missing.add(subject);
    }
    if (missing.size > 0) for (const entry of await this.#load(partition, [...missing])) keys.set(...entry);
    return sealed.map((one) => {
      const key = keys.get(one.subject);
      return key ? this.codec.open(one, key) : null;
    });
  }

  async open<T>(partition: number, sealed: Sealed<T>): Promise<T | null> {
    return (await this.openAll(partition, [sealed]))[0]!;
  }

  /** Forgets what is cached, after a subject's key was destroyed. */
  clear(): void {
    this.#keys.clear();
  }

  async #load(partition: number, subjects: readonly string[]): Promise<Map<string, Buffer | null>> {
    const rows = await this.database.lookUp({
      name: 'subject-key-by-id',
      text: `
        select subject, lookup, wrapped_key from subject_key
        where partition = $1 and subject = any($2::uuid[])`,
      values: [partition, subjects],
    });
    const loaded = new Map<string, Buffer | null>(subjects.map((subject) => [subject, null]));
    for (const row of rows) {
      const key = parseSubjectKey(row);
      loaded.set(key.id, this.codec.unwrap(key));
    }
    if (this.#keys.size + loaded.size > CACHE_ENTRIES) this.#keys.clear();
    const until = performance.now() + CACHE_MS;
    for (const [subject, key] of loaded) this.#keys.set(subject, { key, until });
    return loaded;
  }
}
