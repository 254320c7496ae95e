import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { createApplication } from '../dist/src/application.js';
import { completeSecrets, readSettings } from '../dist/src/platform/config/index.js';
import { Database } from '../dist/src/platform/database/index.js';
import { openApiDocument } from '../dist/src/platform/http/openapi.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes `openapi.json` from the routes of the built service; with `--check`, fails where it is not current. */
const folder = await mkdtemp(join(tmpdir(), 'payments-openapi-'));
const { config } = await completeSecrets(
  readSettings({ DATA_DIR: folder, LOG_LEVEL: 'fatal', PUBLIC_URL: 'http://127.0.0.1:3000' }),
);
const database = new Database('postgres://nobody@127.0.0.1:1/none', () => undefined);
const app = await createApplication(config, database);
const document = `${JSON.stringify(openApiDocument(app), null, 2)}\n`;
await app.close().catch(() => undefined);
await database.close();
await rm(folder, { recursive: true });

if (process.argv.includes('--check')) {
  const current = await readFile('openapi.json', 'utf8').catch(() => '');
  if (current !== document) {
    console.error('openapi.json is not current: npm run documents');
    process.exit(1);
  }
} else {
  await writeFile('openapi.json', document);
}
