import { open, rename, stat } from 'node:fs/promises';
import { giveToOwnerOfFolder, isThere } from './files.ts';

const ROTATE_AT_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

export interface OpenLog {
  readonly fd: number;
  /** What the server has written since the log was opened; the end of it, if it is long. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens the server's log for its next run. It is opened here and handed down, so that the server's user needs no
 * rights on the data folder. A long one is set aside first (one is kept).
 */
export async function openLog(path: string): Promise<OpenLog> {
  if ((await isThere(path)) && (await stat(path)).size > ROTATE_AT_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, 'a+', 0o600);
  await giveToOwnerOfFolder(path);
  const { size: begin } = await file.stat();
  return {
    fd: file.fd,
    async tail() {
      const { size } = await file.stat();
      const from = Math.max(begin, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString('utf8', 0, bytesRead).trim();
    },
    close: () => file.close(),
  };
}
