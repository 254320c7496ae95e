import type { Stored } from './personal.js';

/** Who and what caused an event. Stored beside its data and covered by its hash. */
export interface EventMetadata {
  /** `x-request-id` of the HTTP request, where there was one. */
  readonly requestId?: string;
  /** Who acted: `access-key:<id>`, `operator:<name>`, `rail:<name>`, `timer`. */
  readonly actor: string;
  /** Identifier of the event that caused this one. */
  readonly causation?: string;
  /** Identifier of the business transaction that this event belongs to. */
  readonly correlation?: string;
  /** `traceparent` (W3C Trace Context) of the command, where traces are on and this one is recorded. */
  readonly traceparent?: string;
  /** The command's idempotency key; owned by the event store, see `idempotency.ts`. */
  readonly idempotency?: IdempotencyMark;
  /** The key of a request of several commands, on the first of its events. */
  readonly requestIdempotency?: RequestMark;
}

/** A key and its request, as hashes. */
export type RequestMark = Omit<IdempotencyMark, 'events'>;

/** In the metadata of a command's first event, so that the log alone explains every replayed answer. */
export interface IdempotencyMark {
  /** SHA-256 of the key and the actor that it belongs to, hex. */
  readonly id: string;
  /** The first 31 bytes of an HMAC-SHA-256 of the canonical request, hex; of versions before its SHA-256. */
  readonly request: string;
  /** How many events the command appended, this one included. */
  readonly events: number;
}

/** An event as a decider makes it: position, time and hashes come from the log. */
export interface NewEvent<T extends string = string, D = unknown> {
  readonly type: T;
  readonly stream: string;
  /** Version of the stream after this event: 1 for its first. */
  readonly version: number;
  readonly data: D;
}

/** An event of the log, its data at the current schema version. */
export interface RecordedEvent<T extends string = string, D = unknown> {
  readonly partition: number;
  /** Gapless number in the partition, from 1. */
  readonly position: bigint;
  readonly id: string;
  readonly stream: string;
  readonly version: number;
  readonly type: T;
  /** UTC, to the millisecond; never runs backwards within a partition. */
  readonly time: Date;
  readonly data: D;
  readonly metadata: EventMetadata;
}

type Upcaster = (data: never) => unknown;

/**
 * A type of event: creates events, recognises recorded ones, and reads earlier schema versions.
 * `upcasters[n]` turns data of schema version n into that of version n + 1.
 */
export interface EventType<T extends string, D> {
  readonly type: T;
  readonly schemaVersion: number;
  readonly description: string;
  readonly upcasters: Readonly<Record<number, Upcaster>>;
  create(stream: string, version: number, data: D): NewEvent<T, D>;
  is(event: RecordedEvent): event is RecordedEvent<T, Stored<D>>;
}

/** The data that an event type is made with. */
export type DataOf<E> = E extends EventType<string, infer D> ? D : never;

/** Union member for `evolve`: the recorded form of an event type. */
export type EventOf<E> = E extends EventType<infer T, infer D> ? RecordedEvent<T, Stored<D>> : never;

const catalogue = new Map<string, EventType<string, unknown>>();

/**
 * Declares an event type. Names are past tense and never change once landed; shapes change by a new
 * `schemaVersion` and an upcaster for each older one.
 */
export function defineEvent<D>() {
  return <T extends string>(
    type: T,
    description: string,
    options: { schemaVersion?: number; upcasters?: Record<number, Upcaster> } = {},
  ): EventType<T, D> => {
    const schemaVersion = options.schemaVersion ?? 1;
    const upcasters = options.upcasters ?? {};
    for (let version = 1; version < schemaVersion; version++) {
      if (!upcasters[version]) throw new TypeError(`${type}: no upcaster from schema version ${version}`);
    }
    if (catalogue.has(type)) throw new TypeError(`event type ${type} is declared twice`);
    const declared: EventType<T, D> = {
      type,
      schemaVersion,
      description,
      upcasters,
      create: (stream, version, data) => ({ type, stream, version, data }),
      is: (event): event is RecordedEvent<T, Stored<D>> => event.type === type,
    };
    catalogue.set(type, declared);
    return declared;
  };
}

/** Every declared event type, for documents and checks. */
export function eventCatalogue(): readonly EventType<string, unknown>[] {
  return [...catalogue.values()];
}

/** @throws TypeError for a type that no module declares: the log was written by a newer version. */
export function eventType(type: string): EventType<string, unknown> {
  const declared = catalogue.get(type);
  if (!declared) throw new TypeError(`event type ${type} is not known to this version of the service`);
  return declared;
}

/** Data of a stored event, upcast from its schema version to the current one. */
export function upcast(type: string, schemaVersion: number, data: unknown): unknown {
  const declared = eventType(type);
  if (schemaVersion > declared.schemaVersion) {
    throw new TypeError(
      `event ${type} has schema version ${schemaVersion}, this service knows ${declared.schemaVersion}`,
    );
  }
  let current = data;
  for (let version = schemaVersion; version < declared.schemaVersion; version++) {
    current = declared.upcasters[version]!(current as never);
  }
  return current;
}
