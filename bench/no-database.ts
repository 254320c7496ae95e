/**
 * The service with its reads answered from memory: the same route, guards, view and serialisation without a database.
 * Started by the bench as a process of its own; the first answer to each statement is real, later ones repeat it.
 */
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';

const built = (path: string) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
const { createApplication } = (await built('application.js')) as typeof import('../src/application.js');
const config = (await built('platform/config/index.js')) as typeof import('../src/platform/config/index.js');
const { Database } = (await built('platform/database/index.js')) as typeof import('../src/platform/database/index.js');

class RememberingDatabase extends Database {
  readonly #answers = new Map<string, Promise<never[]>>();

  override query<Row extends object>(statement: Parameters<typeof Database.prototype.query>[0]): Promise<Row[]> {
    const key = `${statement.name}${JSON.stringify(statement.values ?? [])}`;
    let answer = this.#answers.get(key);
    if (!answer) this.#answers.set(key, (answer = super.query<never>(statement)));
    return answer;
  }

  override lookUp<Row extends object>(statement: Parameters<typeof Database.prototype.query>[0]): Promise<Row[]> {
    return this.query(statement);
  }
}

const settings = (await config.completeSecrets(config.readSettings())).config;
const database = new RememberingDatabase(settings.databaseUrl!, () => undefined);
const app = await createApplication(settings, database);
await app.listen(0, '127.0.0.1');
process.stdout.write(`Listening on http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}. \n`);
process.once(
  'SIGTERM',
  () =>
    void app
      .close()
      .then(() => database.close())
      .then(() => process.exit(0)),
);
