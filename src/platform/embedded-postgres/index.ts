export { explainingPermissions } from './data-dir.js';
export { giveToOwnerOfFolder, makeFolder } from './files.js';
export { DataDirInUse, DataDirUnusable, EmbeddedPostgresFailed } from './errors.js';
export { findEmbeddedPostgres } from './find.js';
export { startEmbeddedPostgres, type EmbeddedPostgresOptions, type EmbeddedServer } from './start.js';
