import 'reflect-metadata';
import './plugin-names.js';
import { expect } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from '../../src/application.js';
import type { InlineProjection, RecordedEvent } from '../../src/event-store/index.js';
import { EventLog, InlineProjections } from '../../src/event-store/index.js';
import { RecentEvents } from '../../src/event-store/log/recent-events.js';
import { completeSecrets, readSettings } from '../../src/platform/config/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { createDatabase, type TestDatabase } from './database.js';
import { testSettings } from './service.js';

export interface InProcess {
  readonly app: NestFastifyApplication;
  readonly database: Database;
  close(): Promise<void>;
}

/** The application in this process, over a new database, for tests that need its inside. It listens to nobody. */
export async function startInProcess(
  test: Pick<TestDatabase, 'url'>,
  env: Record<string, string> = {},
): Promise<InProcess> {
  const { config } = await completeSecrets(
    readSettings({ ...testSettings(), DATABASE_URL: test.url, LOG_LEVEL: 'fatal', ...env }),
  );
  await migrate({ url: test.url, partitions: config.partitions });
  const database = new Database(test.url, () => undefined);
  const app = await createApplication(config, database);
  await app.init();
  return {
    app,
    database,
    close: async () => {
      try {
        await assertRememberedAsLogged(app);
      } finally {
        await app.close();
        await database.close();
      }
    },
  };
}

export interface InProcessOwning extends InProcess {
  /** SQL as the database's owner. */
  readonly owner: TestDatabase;
}

/** The same over a new database, which goes with it. */
export async function startWithDatabase(env: Record<string, string> = {}): Promise<InProcessOwning> {
  const owner = await createDatabase();
  const service = await startInProcess(owner, env);
  return {
    ...service,
    owner,
    close: async () => {
      try {
        await service.close();
      } finally {
        await owner.drop();
      }
    },
  };
}

/** What followers are given from memory must be what the log gives them; a member without a value is none in JSON. */
async function assertRememberedAsLogged(app: NestFastifyApplication): Promise<void> {
  const log = app.get(EventLog);
  const recent = app.get(RecentEvents, { strict: false });
  for (const partition of (await log.heads()).keys()) {
    const remembered = recent.after(partition, 0n, 1_000_000);
    // What is under way may append more meanwhile.
    const logged = (await everything(log, partition)).slice(0, remembered.length);
    if (remembered.length > 0) expect(remembered).toEqual(logged);
  }
}

/** Every row of every inline projection, by projection and key: as it stands in the database. */
export async function liveRows({ app, database }: InProcess): Promise<Record<string, Record<string, unknown>>> {
  const log = app.get(EventLog);
  const rows: Record<string, Record<string, unknown>> = {};
  for (const projection of app.get(InlineProjections).all()) {
    for (const partition of (await log.heads()).keys()) {
      const scanned = await database.query(projection.scan(partition, null, 100_000));
      for (const row of scanned.map((raw) => projection.parse(raw))) set(rows, projection, projection.keyOf(row), row);
    }
  }
  return rows;
}

/** The same rows, made from nothing but the log. @throws where an event contradicts those before it */
export async function replayedRows({
  app,
}: {
  readonly app: Pick<INestApplicationContext, 'get'>;
}): Promise<Record<string, Record<string, unknown>>> {
  const log = app.get(EventLog);
  const rows: Record<string, Record<string, unknown>> = {};
  for (const partition of (await log.heads()).keys()) {
    for (const event of await everything(log, partition)) {
      for (const projection of app.get(InlineProjections).all()) {
        for (const key of projection.keysOf(event)) {
          const before = rows[projection.name]?.[key];
          const found = projection.contradicts?.(before, event, key);
          if (found) throw new Error(`${event.type} of ${projection.name} ${key}: ${JSON.stringify(found)}`);
          set(rows, projection, key, projection.evolve(before, event, key));
        }
      }
    }
  }
  return rows;
}

async function everything(log: EventLog, partition: number): Promise<RecordedEvent[]> {
  return log.readAfter(partition, 0n, 1_000_000);
}

function set(rows: Record<string, Record<string, unknown>>, projection: InlineProjection, key: string, row: unknown) {
  (rows[projection.name] ??= {})[key] = row;
}
