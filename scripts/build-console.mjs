import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { whenChanged } from './when-changed.mjs';

/** Builds the console. */
const INPUTS = ['console/{index.html,package.json,tsconfig.json,vite.config.ts}', 'console/{src,public}/**/*.*'];

await whenChanged(INPUTS, 'console/dist/.inputs', () => {
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
});
