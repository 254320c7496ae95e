export { explainingPermissions } from './data-dir.ts';
export { DataDirInUse, DataDirUnusable, EmbeddedPostgresFailed } from './errors.ts';
export { findEmbeddedPostgres } from './find.ts';
export { startEmbeddedPostgres, type EmbeddedPostgresOptions, type EmbeddedServer } from './start.ts';
