import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * Builds the console where what it is built from has changed since its last build: builds of the service alone, which
 * every test run makes, stay fast.
 */
const INPUTS = ['console/{index.html,package.json,tsconfig.json,vite.config.ts}', 'console/{src,public}/**/*.*'];
const MARK = 'console/dist/.inputs';

const hash = createHash('sha256').update(readFileSync('package-lock.json'));
for (const file of globSync(INPUTS).sort()) {
  if (!file.endsWith('.spec.ts')) hash.update(`\0${file}\0`).update(readFileSync(file));
}
const inputs = hash.digest('hex');

if (built() !== inputs) {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: 'console',
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  // Compressed once here, not at every request: the service sends what lies beside the file.
  for (const file of globSync('console/dist/**/*.{js,css,html,svg}')) {
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
  writeFileSync(MARK, inputs);
}

function built() {
  try {
    return readFileSync(MARK, 'utf8');
  } catch {
    return undefined;
  }
}
