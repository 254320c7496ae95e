import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { formatted } from './formatted.mjs';

/**
 * Writes the types of the TypeScript client from `openapi.json`: the routes of partners and of the sandbox, their
 * bodies and success answers, and the shapes of errors. `--check` compares instead, and fails when the file is not
 * current.
 */
const FILE = 'clients/typescript/src/schema.ts';
const OF_PARTNERS = /^\/(partners-int|sandbox)\//;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const document = JSON.parse(await readFile('openapi.json', 'utf8'));
document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => OF_PARTNERS.test(path)));
for (const path of Object.values(document.paths)) {
  for (const method of METHODS.filter((one) => path[one])) {
    // Errors have few shapes and are distinguished by name: the client's error classes cover them.
    path[method].responses = Object.fromEntries(
      Object.entries(path[method].responses).filter(([status]) => status.startsWith('2')),
    );
  }
}
keepUsed(document, ['ValidationErrorBody', 'DomainErrorBody', 'GeneralErrorBody', 'ForbiddenBody']);

const banner = '/* Generated from openapi.json by scripts/client-types.mjs; do not edit. */\n';
// A member with a default may be left out of a request.
const options = { alphabetize: true, rootTypes: false, defaultNonNullable: false };
const source = banner + astToString(await openapiTS(document, options));
const text = await formatted(FILE, source);

if (process.argv.includes('--check')) {
  if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
    console.error(`${FILE} is not current: npm run documents`);
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, text);
}

/** Drops components that neither the paths nor the named schemas reference. */
function keepUsed({ paths, components }, names) {
  const used = new Set();
  const visit = (node) => {
    for (const [reference, kind, name] of JSON.stringify(node).matchAll(/#\/components\/(\w+)\/([^"]+)/g)) {
      if (!used.has(reference)) visit(components[kind][used.add(reference) && name]);
    }
  };
  visit(names.map((name) => `#/components/schemas/${name}`));
  visit(paths);
  for (const kind of ['schemas', 'responses', 'parameters']) {
    const kept = Object.entries(components[kind]).filter(([name]) => used.has(`#/components/${kind}/${name}`));
    components[kind] = Object.fromEntries(kept);
  }
}
