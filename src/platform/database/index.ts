export { Database } from './database.js';
export { PipelinedConnection, type PipelinedStatement } from './pipelined-connection.js';
export { SERVICE_ROLE } from './connection-settings.js';
export { migrate, type MigrationSettings } from './migrate.js';
export { classifyFault, type FaultKind, isConnectionFault, sqlState } from './faults.js';
