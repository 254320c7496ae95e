import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource, DefaultNamingStrategy, type QueryFailedError } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Database } from './database.js';
import { isConnectionFault } from './faults.js';
import { asRequestFault } from './server-pools.js';

/**
 * The data source of cold tables (ADR 0023): a module names its entities by `TypeOrmModule.forFeature`, a provider
 * takes `@InjectRepository`. It shares the requests' pool, whose sessions have the service's role and limits: nothing
 * connects before the first statement.
 */
export const coldTables: DynamicModule = TypeOrmModule.forRootAsync({
  inject: [Database],
  useFactory: ({ requestPool }: Database) => ({
    ...optionsOver(requestPool),
    autoLoadEntities: true,
    retryAttempts: 0,
  }),
  dataSourceFactory: (options) => Promise.resolve(sourceOf(options as PostgresDataSourceOptions)),
});

/** Repositories without an application. */
export function openColdTables(
  { requestPool }: Database,
  entities: readonly (new () => object)[],
): Promise<DataSource> {
  return sourceOf({ ...optionsOver(requestPool), entities: [...entities] }).initialize();
}

/** What TypeORM's runners do where their connection breaks, and declare as private. */
interface Releasing {
  releasePostgresConnection(fault: unknown): Promise<void>;
}

/** Members in camel case, columns in snake case. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(member: string, given: string | undefined): string {
    return given ?? member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

function optionsOver(pool: pg.Pool): PostgresDataSourceOptions {
  // Without the driver TypeORM loads a second copy of it.
  return { type: 'postgres', driver: pg, extra: { pool }, namingStrategy: new SnakeCase() };
}

/** Throws the faults of `Database.query`. TypeORM's own errors contain parameters, which must not be logged. */
function sourceOf(options: PostgresDataSourceOptions): DataSource {
  const source = new DataSource(options);
  const driver = source.driver as PostgresDriver;
  driver.connect = () => Promise.resolve(void (driver.master = (options.extra as { pool: pg.Pool }).pool));
  driver.afterConnect = driver.disconnect = () => Promise.resolve();
  const runnerOf = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const runner = runnerOf(mode);
    const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
    const classified = (...given: unknown[]) =>
      query(...given).catch(async (error: unknown) => {
        const cause = (error as Partial<QueryFailedError>).driverError ?? error;
        // A connection that did not answer is not used again. TypeORM would give it back, for the next one to wait.
        if (isConnectionFault(cause)) await (runner as unknown as Releasing).releasePostgresConnection(cause);
        throw asRequestFault(cause);
      });
    return Object.assign(runner, { query: classified });
  };
  return source;
}
