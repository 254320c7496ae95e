import type { KeyObject } from 'node:crypto';
import { newId } from '../log/identifiers.js';
import { Personal, type Sealed, type SubjectRef } from '../log/personal.js';
import type { PersonalDataCodec, SubjectKey } from '../subjects/personal-data-codec.js';
import type { Submission } from './submission.js';

/**
 * The subjects that a batch's events name: personal data is sealed with their keys, which the batch makes if need be.
 */
export class BatchSubjects {
  /** Keys to be inserted with the batch. */
  readonly made: SubjectKey[] = [];
  readonly #unwrapped = new Map<string, KeyObject>();

  /** @param keys existing ones, by look-up (hex); those that are made are added */
  constructor(
    private readonly codec: PersonalDataCodec,
    private readonly partition: number,
    private readonly keys: Map<string, SubjectKey>,
  ) {}

  idOf(ref: SubjectRef, submission: Submission): string {
    return this.#subjectOf(ref, submission).id;
  }

  /** @param newKeys of the command; those that this data needs are added */
  seal(data: Record<string, unknown>, submission: Submission, newKeys: SubjectKey[]): Record<string, unknown> {
    let sealed: Record<string, unknown> | undefined;
    for (const member in data) {
      const value = data[member];
      if (value instanceof Personal) {
        sealed ??= { ...data };
        sealed[member] = this.#sealOne(value, submission, newKeys);
      }
    }
    return sealed ?? data;
  }

  /** A command that made the key is decided: those behind it find it. */
  keep(key: SubjectKey): void {
    this.made.push(key);
    this.keys.set(key.lookup.toString('hex'), key);
  }

  /** The newest one that was kept. Another command makes a key of its own, maybe by the same identifier. */
  takeBack(key: SubjectKey): void {
    this.made.pop();
    this.keys.delete(key.lookup.toString('hex'));
    this.#unwrapped.delete(key.id);
  }

  #sealOne(value: Personal<unknown>, submission: Submission, newKeys: SubjectKey[]): Sealed {
    const { id, lookup, known } = this.#subjectOf(value.subject, submission);
    let key = known ?? newKeys.find((candidate) => candidate.id === id);
    if (!key) {
      key = this.codec.newSubjectKey(id, lookup);
      newKeys.push(key);
    }
    let own = this.#unwrapped.get(key.id);
    if (!own) {
      own = this.codec.unwrap(key);
      this.#unwrapped.set(key.id, own);
    }
    return this.codec.seal(key.id, own, value.value);
  }

  /** A subject that the command announced, with its key where that exists. */
  #subjectOf(ref: SubjectRef, { subjects }: Submission): { id: string; lookup: Buffer; known: SubjectKey | undefined } {
    const subject = subjects.get(ref.clear);
    if (!subject) throw new TypeError('an event names a subject that its command did not announce');
    const { lookup } = subject;
    const known = this.keys.get(lookup.toString('hex'));
    return { id: known?.id ?? (subject.newKeyId ??= newId(this.partition)), lookup, known };
  }
}
