export { DataDirInUse, DataDirUnusable, EmbeddedPostgresFailed } from './errors.js';
export { findEmbeddedPostgres } from './find.js';
export { startEmbeddedPostgres, type EmbeddedPostgresOptions, type EmbeddedServer } from './start.js';
