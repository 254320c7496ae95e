import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';

/**
 * Writes a file that takes the place of an earlier one once it is whole, beside processes of other containers, which
 * may have the same id. Where it cannot be written, the earlier one stays.
 * @param write the whole of it, to the path that it is given
 */
export async function replaceFile(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await write(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
