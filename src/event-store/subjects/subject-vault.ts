import type { KeyObject } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../platform/database/index.js';
import { IN_STREAM_INDEX } from '../log/event-log.js';
import { streamOfSubject, SubjectForgotten } from './forgetting.js';
import { loadSubjectKeys, parseSubjectKey } from './subject-keys.js';
import { PersonalDataCodec, type SubjectKey } from './personal-data-codec.js';
import type { Sealed, SubjectRef } from '../log/personal.js';

const CACHE_ENTRIES = 10_000;
const CACHE_MS = 1_000;

/** A subject's key that was not destroyed and cannot be used: its row was damaged or changed, or is gone. */
class UnreadableKey extends Error {}

/** `null`: the subject was forgotten. */
type Key = KeyObject | UnreadableKey | null;

/** Opens sealed personal data, for reads. */
@Injectable()
export class SubjectVault {
  readonly #logger = new Logger(SubjectVault.name);
  readonly #keys = new LRUCache<string, { key: Key; until: number }>({ max: CACHE_ENTRIES });
  /** Raised by `clear`. */
  #generation = 0;

  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
  ) {}

  /**
   * The plain values for display, in order; `null` where the subject was forgotten, or its key is damaged (logged, and
   * reported by `ledger verify`): one bad row must not fail a whole page. One query at most.
   */
  async openAll<T>(partition: number, sealed: readonly Sealed<T>[]): Promise<(T | null)[]> {
    const keys = await this.#keysOf(
      partition,
      sealed.map(({ subject }) => subject),
    );
    return sealed.map((one) => {
      try {
        return this.#open(one, keys);
      } catch (error) {
        this.#logger.error(`Sealed data of subject ${one.subject} cannot be opened: ${(error as Error).message}`);
        return null;
      }
    });
  }

  /**
   * The same for use: `null` only where the subject was forgotten.
   * @throws where a key is damaged, or gone without an event that says so
   */
  async openEach<T>(partition: number, sealed: readonly Sealed<T>[]): Promise<(T | null)[]> {
    const keys = await this.#keysOf(
      partition,
      sealed.map(({ subject }) => subject),
    );
    return sealed.map((one) => this.#open(one, keys));
  }

  /**
   * The plain value for use in a payment; `null` where the subject was forgotten. @throws where the key is damaged or
   * gone
   */
  async open<T>(partition: number, sealed: Sealed<T>): Promise<T | null> {
    const [value] = await this.openEach(partition, [sealed]);
    return value!;
  }

  /** Ids of those of the subjects that have a key. */
  async withKeys(partition: number, subjects: readonly SubjectRef[]): Promise<string[]> {
    const rows = await this.database.query(
      loadSubjectKeys(
        partition,
        subjects.map((one) => this.codec.lookupOf(one)),
      ),
    );
    return rows.map((row) => parseSubjectKey(row).id);
  }

  /** Forgets what is cached, after a subject's key was destroyed. */
  clear(): void {
    this.#generation += 1;
    this.#keys.clear();
  }

  #open<T>(sealed: Sealed<T>, keys: ReadonlyMap<string, Key>): T | null {
    const key = keys.get(sealed.subject) ?? null;
    if (key instanceof UnreadableKey) throw key;
    return key && this.codec.open(sealed, key);
  }

  async #keysOf(partition: number, subjects: readonly string[]): Promise<Map<string, Key>> {
    const now = performance.now();
    const keys = new Map<string, Key>();
    const missing = new Set<string>();
    for (const subject of subjects) {
      const cached = this.#keys.get(subject);
      if (cached && cached.until > now) keys.set(subject, cached.key);
      else missing.add(subject);
    }
    if (missing.size > 0) for (const entry of await this.#load(partition, [...missing])) keys.set(...entry);
    return keys;
  }

  async #load(partition: number, subjects: readonly string[]): Promise<Map<string, Key>> {
    const generation = this.#generation;
    const rows = await this.database.lookUp({
      name: 'subject-key-by-id',
      text: `
        select subject, lookup, wrapped_key from subject_key
        where partition = $1 and subject = any($2::uuid[])`,
      values: [partition, subjects],
    });
    const loaded = new Map<string, Key>();
    for (const row of rows) {
      const key = parseSubjectKey(row);
      loaded.set(key.id, this.#unwrap(key));
    }
    const missing = subjects.filter((subject) => !loaded.has(subject));
    if (missing.length > 0) for (const entry of await this.#withoutKey(partition, missing)) loaded.set(...entry);
    // A key that was read before `clear` may be destroyed by now: it is for those who asked before, and is not kept.
    if (generation !== this.#generation) return loaded;
    const until = performance.now() + CACHE_MS;
    for (const [subject, key] of loaded) this.#keys.set(subject, { key, until });
    return loaded;
  }

  /**
   * Who deletes a row for a moment does not have somebody forgotten: only an event does, in the commit of its deletion.
   */
  async #withoutKey(partition: number, subjects: readonly string[]): Promise<(readonly [string, Key])[]> {
    const rows = await this.database.lookUp<{ stream: string }>({
      name: 'subjects-forgotten-by-log',
      text: `
        select e.stream from event e
        join log_head h on h.partition = e.partition and e.position <= h.position
        where e.partition = $1 and e.stream = any($2::text[]) and e.type = $3 and ${IN_STREAM_INDEX}`,
      values: [partition, subjects.map(streamOfSubject), SubjectForgotten.type],
    });
    const forgotten = new Set(rows.map(({ stream }) => stream));
    return subjects.map((subject) => {
      const isForgotten = forgotten.has(streamOfSubject(subject));
      return [subject, isForgotten ? null : new UnreadableKey('the key is gone, and the log forgot nobody')];
    });
  }

  #unwrap(key: SubjectKey): Key {
    try {
      return this.codec.unwrap(key);
    } catch (error) {
      return new UnreadableKey(`the key does not unwrap: ${(error as Error).message}`, { cause: error });
    }
  }
}
