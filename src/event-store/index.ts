export { type Command, DuplicateRow, type Outcome, type SecretToStore } from './command.js';
export {
  defineEvent,
  eventCatalogue,
  type EventMetadata,
  type EventOf,
  type EventType,
  type NewEvent,
  type RecordedEvent,
} from './event.js';
export { EventLog, eventsAfter, parseEventRow, type StoredEvent, toRecorded } from './event-log.js';
export { EventStoreModule } from './event-store.module.js';
export { type EventRow, hashEvent } from './leaf.js';
export { appendLeaf, EMPTY_TREE, leafHash, nodeHash, packPeaks, rootOf, type TreeState } from './merkle.js';
export { createdAt, newId, partitionOf, MAX_PARTITIONS } from './identifiers.js';
export type { IdempotencyKey } from './idempotency.js';
export type { InlineProjection, LoadedRows, Reads, RowChanges, Statement } from './inline-projection.js';
export { Table } from './table.js';
export { DEFAULT_LANE, type EventStoreOptions } from './options.js';
export { SubjectForgotten } from './forgetting.js';
export { LOOKUP_KEY, LookupKey } from './lookup-key.js';
export { Ledger } from './ledger.js';
export { LogTail, REGISTRY_PARTITION } from './log-tail.js';
export { SECRET_TABLES, type SecretTable, secretTableOf } from './secret-tables.js';
export {
  personal,
  Personal,
  PersonalDataCodec,
  type Sealed,
  type Stored,
  type SubjectRef,
  taxpayer,
  transactionParty,
} from './personal-data.js';
export { InlineProjections } from './projections.js';
export { SubjectVault } from './subject-vault.js';
export type { FixedRows, RowScan } from './fixed-rows.js';
export { makeCheckpoint, moveCheckpoints } from './follower-checkpoints.js';
export { type AsyncProjection, type Follower, isAsyncProjection } from './follower.js';
export {
  type AddedTables,
  type AddToSum,
  type Adding,
  digestOf,
  type EventFold,
  type Intention,
  type Intentions,
  type KeptRow,
  type KeptRows,
  type RunStatement,
} from './verifiable.js';
export { Subscriptions } from './subscriptions.js';
export { RegistryCache } from './registry-cache.js';
export { assertKeys, fingerprintOf, WrongKey } from './fingerprints.js';
export { LeasedWork, type Worker, type WorkPlace, type WorkRef, type WorkSource } from './leased-work.js';
export {
  addWork,
  BACKLOG_COUNTED,
  type NewWork,
  removeWork,
  type WorkItem,
  type WorkResult,
  WorkTable,
} from './work-table.js';
export { type InLine, WorkLine } from './work-line.js';
export { type Room, roomOfNobody, type WorkShare } from './shares.js';
export { type Answers, Partitions } from './partitions.js';
export { WakeUp } from './wake-up.js';
