export { databaseState, type DatabaseState, databaseTime } from './database-state.js';
export { encodeArray } from './array-parameter.js';
export { Database, DatabaseUnavailable, type Reads } from './database.js';
export { News, type NewsListener } from './news.js';
export { PipelinedConnection } from './pipelined-connection.js';
export { encoded, failedStatement, type PipelinedStatement, type StatementResult } from './statement-group.js';
export { applyOnThread } from './apply-on-thread.js';
export { assertMigrated, MayNotMigrate, migrate, type MigrationSettings, NotMigrated } from './migrate.js';
export { classifyFault, type FaultKind, isConnectionFault, isDuplicate, isUnclear, sqlState } from './faults.js';
