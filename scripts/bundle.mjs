import { readFileSync } from 'node:fs';
import http from 'node:http';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';
import { PACKAGES } from './inputs.mjs';
import { whenChanged } from './when-changed.mjs';

/**
 * Bundles the compiled code, with the packages that it imports, into few files: `dist/main.js` and `dist/cli.js` start
 * in half of the time of their 2,400 modules, with less memory (ADR 0018).
 */
const INPUTS = ['scripts/bundle.mjs', 'dist/{src,migrations}/**/*.{js,map}', PACKAGES];
const COMPILED = /\/dist\/(src|migrations)\//;
/** Compiled code, and the packages of this repository: TypeScript, of which the bundler strips the types. */
const OURS = /\/dist\/(src|migrations)\/|\/packages\/[^/]+\/src\/.+\.ts$/;
const LOADED_ON_DEMAND = /^(pdfkit|piscina)(\/|$)/;
/** Half of TypeORM is for other databases, for finding entities by file name, and for SQL that is shown (ADR 0023). */
const NOT_USED = /\/typeorm\/driver\/(?!postgres\/|types\/)[^/]+\/|\/node_modules\/(@sqltools\/formatter|tinyglobby)\//;
/** Looks for APIs that TypeORM 1 has removed, by importing a second copy outside the bundle. */
const OF_TYPEORM_0 = /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/;
const NOTHING_OF_TYPEORM_0 = 'export const Connection = undefined, AbstractRepository = undefined;';
/** Requires its peers: second copies outside the bundle, which take 80 ms of a start and know none of our rules. */
const MAPPED_TYPES = /@nestjs\/mapped-types\/dist\/type-helpers\.utils\.js$/;
const PEERS = ['class-validator', 'class-transformer', 'class-transformer/cjs/storage'];
/** Asks Node which files call pino, for transports. We have none, and it parses a source map: a tenth of a start. */
const CALLERS_OF_PINO = /\/node_modules\/pino\/lib\/caller\.js$/;
/** Node loads its own undici for a program that imports this as a module, to read its getters: 70 ms of a start. */
const HTTP = /^(node:)?http$/;
const NODE_HTTP = '\0node:http';
const WITHOUT_GETTERS = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, property]) =>
  property.get ? [] : name,
);

await whenChanged(INPUTS, 'dist/.bundled', async () => {
  await bundle(
    ['main', 'cli'],
    [
      { name: 'packages', test: /\/node_modules\//, minShareCount: 2, priority: 1 },
      { name: 'service', test: OURS, minShareCount: 2 },
    ],
  );
  // A thread shares no modules, and its heap is small: each is a bundle of its own.
  await bundle(['audit/verify/log/log-check-thread'], []);
  await bundle(['platform/database/migration-thread'], []);
  await bundle(['pix/drawing/drawing-thread'], []);
});

async function bundle(programs, groups) {
  const build = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, `dist/src/${name}.js`])),
    platform: 'node',
    external: LOADED_ON_DEMAND,
    plugins: [
      { name: 'maps', load: { filter: { id: COMPILED }, handler: withMap }, generateBundle: thinMaps },
      { name: 'postgres-only', load: { filter: { id: NOT_USED }, handler: () => 'module.exports = {};' } },
      { name: 'no-callers', load: { filter: { id: CALLERS_OF_PINO }, handler: () => 'module.exports = () => [];' } },
      { name: 'peers-once', load: { filter: { id: MAPPED_TYPES }, handler: withBundledPeers } },
      {
        name: 'http-without-undici',
        resolveId: {
          filter: { id: HTTP },
          handler: (_id, _importer, { kind }) => (kind === 'import-statement' ? NODE_HTTP : undefined),
        },
        load: {
          filter: { id: /^\0node:http$/ },
          handler: () => `
            const http = process.getBuiltinModule('node:http');
            export const { ${WITHOUT_GETTERS.join(', ')} } = http;
            export default http;`,
        },
      },
      { name: 'typeorm-once', load: { filter: { id: OF_TYPEORM_0 }, handler: () => NOTHING_OF_TYPEORM_0 } },
    ],
    // Packages import optional peers; missing imports of our own code fail the compiler.
    onLog: (level, log, give) => log.code === 'UNRESOLVED_IMPORT' || give(level, log),
  });
  await build.write({
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups },
    keepNames: true,
    comments: false,
    // One character beyond Latin-1 would double V8's memory for a file's text.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    sourcemap: true,
  });
  await build.close();
}

function withBundledPeers(id) {
  const imports = PEERS.map((name, i) => `import * as peer${i} from '${name}';`);
  const bundled = `const require = (name) => ({ ${PEERS.map((name, i) => `'${name}': peer${i}`).join(', ')} })[name];`;
  const code = readFileSync(id, 'utf8').replace(/^const require = .*$/m, bundled);
  if (!code.includes(bundled)) throw new Error(`${id} requires its peers in another way`);
  return [...imports, code].join('\n');
}

/** Source maps, so that stacks have lines of TypeScript. */
function withMap(id) {
  return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
}

/**
 * Drops columns: stacks need lines only, and columns are seven tenths of a map's memory. Packages have no map at all.
 */
function thinMaps(_options, files) {
  const packages = files['chunks/packages.js'];
  if (packages) packages.code = packages.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  delete files['chunks/packages.js.map'];
  for (const file of Object.values(files)) if (file.fileName.endsWith('.map')) file.source = linesOf(file.source);
}

function linesOf(source) {
  const map = JSON.parse(source);
  const startsLine = (place, i, line) => i === 0 || place[1] !== line[i - 1][1] || place[2] !== line[i - 1][2];
  const lines = decode(map.mappings).map((line) => line.filter(startsLine).map((place) => place.slice(0, 4)));
  return JSON.stringify({ ...map, names: [], mappings: encode(lines) });
}
