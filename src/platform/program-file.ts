import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * File of another program of this service, by its path under `src`. It lies where the one that was started lies: in
 * `dist`, where each is a bundle, or in `dist/src`, where `npm run dev` starts them as modules.
 */
export function programFile(path: string): string {
  return join(dirname(realpathSync(process.argv[1]!)), path);
}
