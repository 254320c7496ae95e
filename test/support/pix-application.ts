import 'reflect-metadata';
import { type DynamicModule, type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from '../../src/accounts/index.js';
import { AuthModule } from '../../src/auth/index.js';
import {
  DEFAULT_LANE,
  EventStoreModule,
  LeasedWork,
  type Worker,
  type ClaimedWork,
} from '../../src/event-store/index.js';
import { PixModule } from '../../src/pix/index.js';
import type { PixRail } from '../../src/pix/rails/pix-rail.js';
import { NoInfractionRail } from '../../src/pix/rails/no-infraction-rail.js';
import { INFRACTION_ADAPTER, RAIL_ADAPTER } from '../../src/pix/rails/rail.module.js';
import { completeSecrets, type Config, readSettings } from '../../src/platform/config/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { Tracing } from '../../src/platform/observability/tracing/index.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { createDatabase, type TestDatabase } from './database.js';
import { testSettings } from './service.js';

/** The workers that modules register, for a test that says when each of them works. */
@Injectable()
export class WorkByHand extends LeasedWork {
  readonly #workers = new Map<string, Worker<ClaimedWork>>();

  override register<Item extends ClaimedWork>(worker: Worker<Item>): void {
    super.register(worker);
    this.#workers.set(worker.source.name, worker);
  }

  worker(kind: string): Worker<ClaimedWork> {
    const worker = this.#workers.get(kind);
    if (!worker) throw new TypeError(`nobody works on ${kind}`);
    return worker;
  }
}

@Module({})
class PixOver {
  static of(config: Config, database: Database, rail: PixRail): DynamicModule {
    const store = EventStoreModule.forRoot({
      masterKey: config.secrets.masterKey,
      lane: DEFAULT_LANE,
      partitions: config.partitions,
      runsBackground: false,
    });
    const adapter: DynamicModule = {
      module: GivenRail,
      providers: [
        { provide: RAIL_ADAPTER, useValue: rail },
        { provide: INFRACTION_ADAPTER, useValue: new NoInfractionRail(rail.name) },
      ],
      exports: [RAIL_ADAPTER, INFRACTION_ADAPTER],
    };
    return {
      module: PixOver,
      imports: [
        CqrsModule.forRoot(),
        PlatformModule.forRoot(config, database, new Tracing(undefined)),
        { ...store, providers: [...store.providers!, { provide: LeasedWork, useClass: WorkByHand }] },
        AuthModule,
        AccountsModule,
        { module: PixModule, imports: [adapter] },
      ],
    };
  }
}

@Module({})
class GivenRail {}

export interface PixApplication {
  readonly app: INestApplicationContext;
  readonly database: Database;
  readonly config: Config;
  /** SQL as the database's owner. */
  readonly owner: TestDatabase;
  close(): Promise<void>;
}

/** Pix as production composes it, over a new database and a rail of the test's own. Nothing in it runs by itself. */
export async function startPix(rail: PixRail): Promise<PixApplication> {
  const owner = await createDatabase();
  // Nobody takes its power away, and it commits thousands of times.
  await owner.query(`alter database ${new URL(owner.url).pathname.slice(1)} set synchronous_commit = off`);
  const { config } = await completeSecrets(
    readSettings({ ...testSettings(), DATABASE_URL: owner.url, ROLE: 'api', LEDGER_PARTITIONS: '1' }),
  );
  await migrate({ url: owner.url, partitions: config.partitions });
  const database = new Database(owner.url, () => undefined);
  const app = await NestFactory.createApplicationContext(PixOver.of(config, database, rail), {
    logger: false,
    abortOnError: false,
  });
  return {
    app,
    database,
    config,
    owner,
    close: async () => {
      await app.close();
      await database.close();
      await owner.drop();
    },
  };
}
