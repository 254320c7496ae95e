import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config from '../.dependency-cruiser.mjs';
import { formatted } from './formatted.mjs';

/**
 * Writes the arrows between the modules into the README, as dependency-cruiser finds them in the sources; every module
 * must also have its line in the map there. `--check` compares instead, and fails when the README is not current.
 */
const FILE = 'README.md';
const REGION = /(?<=<!-- modules -->\n)[\s\S]*(?=<!-- \/modules -->)/;

const folders = async (root) =>
  (await readdir(root, { withFileTypes: true })).filter((one) => one.isDirectory()).map(({ name }) => name);
/** Packages are listed with their root, modules without. */
const modules = [...(await folders('src')), ...(await folders('packages')).map((name) => `packages/${name}`)];
const page = await readFile(FILE, 'utf8');
for (const name of modules) {
  const folder = name.includes('/') ? name : `src/${name}`;
  if (!page.includes(`\n  ${basename(folder)}/ `)) fail(`${FILE} does not say what ${folder}/ holds`);
}

const uses = new Map(modules.map((name) => [name, new Set()]));
for (const { source, dependencies } of await sources()) {
  const from = moduleOf(source);
  for (const { resolved } of from ? dependencies : []) {
    const to = moduleOf(resolved);
    if (to && to !== from) uses.get(from).add(to);
  }
}

const map = [
  'Every module uses only modules below it. An arrow that others imply is left out of the diagram; the table has all.',
  '',
  '```mermaid',
  'flowchart TD',
  ...fromTheTop().flatMap((name) => direct(name).map((one) => `  ${name} --> ${one}`)),
  '```',
  '',
  '| Module | Uses |',
  '| --- | --- |',
  ...fromTheTop().map(
    (name) =>
      `| \`${name}\` | ${[...uses.get(name)]
        .sort()
        .map((one) => `\`${one}\``)
        .join(', ')} |`,
  ),
].join('\n');
const region = `\n${await formatted(FILE, map)}\n`;
const text = page.replace(REGION, region);

if (process.argv.includes('--check')) {
  if (text !== page) fail(`${FILE} is not current: npm run documents`);
} else {
  await writeFile(FILE, text);
}

async function sources() {
  const { tsConfig, ...options } = config.options;
  const { output } = await cruise(['src', 'packages'], options, {}, { tsConfig: extractTsConfig(tsConfig.fileName) });
  return output.modules;
}

function moduleOf(file) {
  const [root, name, ...rest] = file.split('/');
  if (rest.length === 0) return undefined;
  return root === 'src' ? name : root === 'packages' ? `${root}/${name}` : undefined;
}

/** The modules that a module uses, without those implied by others. */
function direct(name) {
  const reaches = (from, to) => [...uses.get(from)].some((one) => one === to || reaches(one, to));
  const used = [...uses.get(name)].sort();
  return used.filter((one) => !used.some((other) => other !== one && reaches(other, one)));
}

/** Topological order: users first. */
function fromTheTop() {
  const depth = (name, path = []) => {
    if (path.includes(name)) fail(`the modules depend on one another in a circle: ${[...path, name].join(' → ')}`);
    return Math.max(0, ...[...uses.get(name)].map((one) => 1 + depth(one, [...path, name])));
  };
  return [...uses.keys()].sort().sort((a, b) => depth(b) - depth(a));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
