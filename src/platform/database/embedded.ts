import { type EmbeddedServer, findEmbeddedPostgres, startEmbeddedPostgres } from '@partner-payments/embedded-postgres';

export {
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  type EmbeddedServer,
} from '@partner-payments/embedded-postgres';

/** The service's database in the cluster of `DATA_DIR`, where no `DATABASE_URL` names another: for development. */
const DATABASE = 'payments';

/** @throws DataDirInUse, DataDirUnusable, EmbeddedPostgresFailed */
export function startEmbedded(dataDir: string): Promise<EmbeddedServer> {
  return startEmbeddedPostgres({ dataDir, database: DATABASE });
}

/** The URL of the running one, if any. @throws DataDirUnusable */
export function findEmbedded(dataDir: string): Promise<string | undefined> {
  return findEmbeddedPostgres({ dataDir, database: DATABASE });
}
