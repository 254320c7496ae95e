import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Another program of this service, by its path under `src`. It lies where the one that was started lies: in `dist`,
 * where each is a bundle, or in `dist/src`, where `npm run dev` starts them as modules.
 */
export function programFile(path: string): URL {
  return new URL(path, pathToFileURL(realpathSync(process.argv[1]!)));
}
