import { readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';
import { whenChanged } from './when-changed.mjs';

/**
 * Puts what the compiler made, and the packages that it imports, into few files: `dist/main.js` and `dist/cli.js` start
 * in half of the time that their 2,400 modules take, and need less memory (ADR 0018).
 */
const INPUTS = ['scripts/bundle.mjs', 'dist/{src,migrations}/**/*.{js,map}'];
const OURS = /\/dist\/(src|migrations)\//;
const LOADED_ON_DEMAND = /^(typeorm|pdfkit)(\/|$)/;

await whenChanged(INPUTS, 'dist/.bundled', async () => {
  await bundle(
    ['main', 'cli'],
    [
      { name: 'packages', test: /\/node_modules\//, minShareCount: 2, priority: 1 },
      { name: 'service', test: OURS, minShareCount: 2 },
    ],
  );
  // A thread shares nothing, and its heap is small: each is a program of its own.
  await bundle(['audit/verify/log-check-thread'], []);
  await bundle(['platform/database/migration-thread'], []);
});

async function bundle(programs, groups) {
  const build = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, `dist/src/${name}.js`])),
    platform: 'node',
    external: LOADED_ON_DEMAND,
    plugins: [{ name: 'maps', load: { filter: { id: OURS }, handler: withMap }, generateBundle: withoutMapOfPackages }],
    // Packages name companions that nobody needs to install; what is missing of our own, the compiler has told.
    onLog: (level, log, give) => log.code === 'UNRESOLVED_IMPORT' || give(level, log),
  });
  const { output } = await build.write({
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups },
    keepNames: true,
    comments: false,
    // One character beyond Latin-1 would double what V8 keeps of a file's text.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    sourcemap: true,
  });
  await build.close();
  output.filter(({ fileName }) => fileName.endsWith('.map')).forEach(({ fileName }) => keepLines(`dist/${fileName}`));
}

/** So that a stack names lines of TypeScript. */
function withMap(id) {
  return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
}

/** A stack names lines. Columns are seven tenths of what a process holds of a map from the first stack on. */
function keepLines(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const startsLine = (segment, i, line) => i === 0 || segment[1] !== line[i - 1][1] || segment[2] !== line[i - 1][2];
  const lines = decode(map.mappings).map((line) => line.filter(startsLine).map((segment) => segment.slice(0, 4)));
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(lines) }));
}

function withoutMapOfPackages(_options, files) {
  const packages = files['chunks/packages.js'];
  if (!packages) return;
  packages.code = packages.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  delete files['chunks/packages.js.map'];
}
