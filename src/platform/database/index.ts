export { Coalesced } from './coalesced.js';
export { KeyedReads } from './keyed-reads.js';
export { SharedReads } from './shared-reads.js';
export { databaseState, type DatabaseState, databaseTime } from './database-state.js';
export { Database, type Queryable } from './database.js';
export { asRequestFault, DatabaseUnavailable, type LastStatement } from './server-pools.js';
export { Notifications } from './notifications.js';
export {
  failedStatement,
  PipelinedConnection,
  type PipelinedStatement,
  type StatementResult,
} from '@partner-payments/pg-pipeline';
export {
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  type EmbeddedServer,
  findEmbedded,
  startEmbedded,
} from './embedded.js';
export { applyOnThread } from './apply-on-thread.js';
export { DatabaseUnfit, headGone, MayNotMigrate, migrate, TableInUse } from './migrate.js';
export { assertMigrated, HOLD_OFF_MIGRATIONS, laterMigrations, NotMigrated } from './migrated.js';
export { ownerClient } from './owner-client.js';
export { aboutLostDatabase, assertReachable, DatabaseUnreachable } from './reachable.js';
export { aboutFewSessions, mostSessions } from './sessions-left.js';
export { assertSameDatabase, DatabasesDiffer } from './same-database.js';
export { isAfterAllTime } from './timestamps.js';
export { SERVICE_ROLE } from './connection-settings.js';
export {
  classifyFault,
  isConnectionFault,
  lacksRights,
  isDuplicate,
  isUnclear,
  sqlState,
  takesNoWrites,
} from './faults.js';
