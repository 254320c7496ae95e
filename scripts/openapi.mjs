import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { createApplication } from '../dist/src/application.js';
import { completeSecrets, readSettings } from '../dist/src/platform/config/index.js';
import { Database } from '../dist/src/platform/database/index.js';
import { asOpenApi30, openApiDocument } from '../dist/src/platform/http/openapi.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes `openapi.json`, and `openapi-3.0.json` from it, of the built service's routes; `--check` fails where one is
 * not current.
 */
const folder = await mkdtemp(join(tmpdir(), 'payments-openapi-'));
const { config } = await completeSecrets(
  readSettings({ DATA_DIR: folder, LOG_LEVEL: 'fatal', PUBLIC_URL: 'http://127.0.0.1:3000' }),
);
await rm(folder, { recursive: true });
const database = new Database('postgres://nobody@127.0.0.1:1/none', () => undefined);
const app = await createApplication(config, database);
const document = openApiDocument(app);
const documents = { 'openapi.json': document, 'openapi-3.0.json': await asOpenApi30(document) };
await app.close().catch(() => undefined);
await database.close();

for (const [file, content] of Object.entries(documents)) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${file} is not current: npm run documents`);
    process.exitCode = 1;
  }
}
