import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * File of another program of this service, by its path under `src`. It is beside the started one: in `dist`, where each
 * is a bundle, or in `dist/src`, where `npm run dev` starts them as modules.
 */
export function programFile(path: string): string {
  // `nest start` leaves out the extension.
  const started = createRequire(import.meta.url).resolve(process.argv[1]!);
  return join(dirname(realpathSync(started)), path);
}
