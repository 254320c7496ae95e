import { rm } from 'node:fs/promises';

export default async function tearDown() {
  await globalThis.stopTestPostgres?.();
  if (globalThis.testRunFolder) await rm(globalThis.testRunFolder, { recursive: true, force: true });
}
