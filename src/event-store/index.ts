export type { Append, DecideContext, Outcome, SecretToStore } from './group-commit/append.js';
export { DuplicateRow } from './group-commit/errors.js';
export {
  type DataOf,
  defineEvent,
  eventCatalogue,
  type EventMetadata,
  type EventOf,
  type EventType,
  type NewEvent,
  type RecordedEvent,
} from './log/event.js';
export { withTexts } from './log/carried-texts.js';
export {
  EVENT_COLUMNS,
  EventLog,
  eventsAfter,
  IN_STREAM_INDEX,
  parseEventRows,
  type StoredEvent,
  toRecorded,
} from './log/event-log.js';
export { foldStream } from './log/fold-stream.js';
export { LogContradicted } from './log/log-contradicted.js';
export { type Folded, WholeStreams } from './log/whole-streams.js';
export { EventStoreModule } from './event-store.module.js';
export { type EventRow, hashEvent } from './log/leaf.js';
export { appendLeaf, EMPTY_TREE, leafHash, nodeHash, rootOf, type TreeState } from './log/merkle.js';
export { createdAt, newId, partitionOf, MAX_PARTITIONS, uuidOf } from './log/identifiers.js';
export { randomPart } from './log/random-pool.js';
export { type IdempotencyKey, KeyReused, markOf, scoped } from './group-commit/idempotency.js';
export {
  type InlineProjection,
  LoadedRows,
  type Reads,
  RowsWanted,
  type Contradiction,
} from './projections/inline-projection.js';
export { onNewest } from './group-commit/on-newest.js';
export { Preview } from './group-commit/preview.js';
export type { Statement } from './log/statement.js';
export { Table } from './projections/table.js';
export { DEFAULT_LANE } from './options.js';
export { forgottenSubjectProjection, streamOfSubject, SubjectForgotten } from './subjects/forgetting.js';
export { LOOKUP_KEY, LookupKey } from './subjects/lookup-key.js';
export { KeyedCommands } from './group-commit/keyed-commands.js';
export { Ledger } from './group-commit/ledger.js';
export { RareCommands, type RowOfStream } from './group-commit/rare-commands.js';
export { RegistryTail } from './registry/registry-tail.js';
export { REGISTRY_PARTITION } from './log/identifiers.js';
export { SECRET_TABLES, type SecretTable, secretTableOf } from './subjects/secret-tables.js';
export { personal, Personal, type Sealed, type Stored, type SubjectRef } from './log/personal.js';
export { PersonalDataCodec } from './subjects/personal-data-codec.js';
export { InlineProjections } from './group-commit/inline-projections.js';
export { StoredSecrets } from './subjects/stored-secrets.js';
export { SubjectVault } from './subjects/subject-vault.js';
export type { FixedRows } from './projections/fixed-rows.js';
export { CaughtUp } from './followers/caught-up.js';
export { checkpointOf, makeCheckpoint, moveCheckpoints, streamsAhead } from './followers/follower-checkpoints.js';
export { type AsyncProjection, type Follower, isAsyncProjection } from './followers/follower.js';
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
  type KeptStates,
  type LeftUndone,
  type RunStatement,
  type Undone,
} from './projections/verifiable.js';
export { Subscriptions } from './followers/subscriptions.js';
export { RegistryCache } from './registry/registry-cache.js';
export { assertKeys, fingerprinted, fingerprintOf, wasUsedWith, WrongKey } from './subjects/fingerprints.js';
export { NEXT_ATTEMPT } from './work/due-statements.js';
export { FREE, LEASED_UNTIL, leaseStatements, lockedInOrder } from './work/leased-rows.js';
export { LeasedWork } from './work/leased-work.js';
export { HeldLease } from './work/held-lease.js';
export { Refusals } from './work/refusals.js';
export { type StandingTimer, StandingWork } from './work/standing-work.js';
export type { Attempt, WorkItem } from './work/work-item.js';
export { BACKLOG_COUNTED } from './work/work-rows.js';
export type { ClaimedWork, Worker, WorkSource } from './work/work-source.js';
export {
  addWork,
  changeWork,
  dueAtOnce,
  type NewWork,
  type Sharing,
  type WorkResult,
  WorkTable,
} from './work/work-table.js';
export { AwaitedCommands } from './group-commit/awaited-commands.js';
export { Demand } from './work/demand.js';
export { DispatchQueue, type QueuedWork } from './work/dispatch-queue.js';
export { type Room, roomWithoutOwners, type WorkShare } from './work/shares.js';
export { type PartitionAnswers, Partitions } from './log/partitions.js';
export { Backlog } from './backlog.js';
export { WakeUp } from './log/wake-up.js';
