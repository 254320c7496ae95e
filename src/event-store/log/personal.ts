/**
 * Personal data stands in events and projections only as ciphertext under the key of its subject.
 * Deciders write `personal(subject, value)`; the log stores a `Sealed` in its place and hashes cover that
 * ciphertext, so destroying a subject's key makes the data unreadable and leaves every proof whole.
 */

/** Names a data subject. */
export interface SubjectRef {
  /** Identifies the subject in clear; it leaves this process only as an HMAC. */
  readonly clear: string;
}

/** A personal value that is to be appended. */
export class Personal<T> {
  constructor(
    readonly subject: SubjectRef,
    readonly value: T,
  ) {}
}

export function personal<T>(subject: SubjectRef, value: T): Personal<T> {
  return new Personal(subject, value);
}

/** A stored personal value: subject id and base64 of nonce, ciphertext and tag (AES-256-GCM). */
export interface Sealed<T = unknown> {
  readonly subject: string;
  readonly sealed: string;
  /** Carries the type of what is sealed; never present. */
  readonly __type?: T;
}

/** The stored form of event data: every `Personal<T>` member is a `Sealed<T>`. */
export type Stored<D> = D extends object ? { [K in keyof D]: StoredMember<D[K]> } : D;
type StoredMember<M> = M extends Personal<infer T> ? Sealed<T> : M;
