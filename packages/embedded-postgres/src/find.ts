import { resolve } from 'node:path';
import { connect, urlOf } from './connect.ts';
import { clusterOf, explainingPermissions } from './data-dir.ts';
import { findPostmaster } from './postmaster.ts';

/**
 * The URL of a database of the server that runs on a data folder now, for a command beside a running service; undefined
 * if none answers. Owns nothing and starts nothing.
 * @throws DataDirUnusable if this user may not look into the data folder.
 */
export async function findEmbeddedPostgres(options: {
  readonly dataDir: string;
  readonly database: string;
}): Promise<string | undefined> {
  const folder = resolve(options.dataDir);
  return explainingPermissions(folder, async () => {
    const cluster = await clusterOf(folder);
    const postmaster = await findPostmaster(cluster);
    if (postmaster?.status !== 'ready') return undefined;
    const url = await urlOf(cluster, postmaster.port, options.database);
    return (await answers(url)) ? url : undefined;
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    const client = await connect(url, 'embedded-postgres');
    await client.end();
    return true;
  } catch {
    return false;
  }
}
