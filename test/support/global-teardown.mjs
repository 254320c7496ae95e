import { rm } from 'node:fs/promises';

export default async function tearDown() {
  await globalThis.stopTestPostgres?.();
  if (globalThis.testCompileCache) await rm(globalThis.testCompileCache, { recursive: true, force: true });
}
