import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { binariesFor } from './binaries.ts';
import { placeCluster } from './cluster-place.ts';
import { ensureDatabase, maintenanceUrlOf, urlOf } from './connect.ts';
import { assertSameMajor, createCluster, removeHalfMade } from './create-cluster.ts';
import { explainingPermissions } from './data-dir.ts';
import { launch, type Launch } from './launch.ts';
import { Ownership } from './ownership.ts';
import { effectiveSettings } from './settings.ts';
import { withStartLock } from './start-lock.ts';
import { stopOwned, takeOver, type Owned } from './take-over.ts';

export interface EmbeddedPostgresOptions {
  /** Holds everything: the cluster (or a pointer to it), the server's log, the port. Made if it is missing. */
  readonly dataDir: string;
  /** The database that `url` names. Made if it is missing. */
  readonly database: string;
  /** PostgreSQL settings by name, over the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with messages for the user. */
  readonly log?: (message: string) => void;
}

export interface EmbeddedServer {
  /** `postgres://…` to the caller's database, as superuser. */
  readonly url: string;
  /** The server's settings. */
  readonly settings: Record<string, string>;
  /** Stops the server (open connections are cut) and gives up ownership; the data stays. */
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL on a data folder and owns it until `stop` or the end of this process. The server outlives a killed
 * process: the next start takes it over as it is, or restarts it if it should run with other settings.
 * @throws DataDirInUse if a living process owns it.
 * @throws DataDirUnusable if the folder belongs to someone else or to another major version of PostgreSQL.
 * @throws EmbeddedPostgresFailed if PostgreSQL does not run or start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  const settings = effectiveSettings(options.settings);
  const log = options.log ?? (() => undefined);
  return explainingPermissions(dataDir, async () => {
    await mkdir(dataDir, { recursive: true });
    return withStartLock(dataDir, async () => {
      const what = await prepare(dataDir, settings, log);
      const owned = (await takeOver(what, log)) ?? (await startAndOwn(what));
      return serve(what, owned, options.database);
    });
  });
}

async function prepare(dataDir: string, settings: Record<string, string>, log: (message: string) => void) {
  const place = await placeCluster(dataDir, log);
  await removeHalfMade(place);
  const binaries = await binariesFor(place.user, log);
  if (!place.exists) {
    log(`creating a PostgreSQL ${binaries.version} cluster in ${place.folder}`);
    await createCluster(dataDir, place, binaries);
  }
  await assertSameMajor(dataDir, place, binaries);
  return { dataDir, place, binaries, settings };
}

async function startAndOwn(what: Launch): Promise<Owned> {
  const postmaster = await launch(what);
  const url = await maintenanceUrlOf(what.place.folder, postmaster.port);
  return { postmaster, ownership: await Ownership.claim(url, what.dataDir) };
}

async function serve(what: Launch, { postmaster, ownership }: Owned, database: string): Promise<EmbeddedServer> {
  const cluster = what.place.folder;
  try {
    await ensureDatabase(await maintenanceUrlOf(cluster, postmaster.port), database);
  } catch (error) {
    await stopOwned(cluster, ownership);
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    url: await urlOf(cluster, postmaster.port, database),
    settings: { ...what.settings },
    stop: () => (stopping ??= stopOwned(cluster, ownership)),
  };
}
