import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { Config } from '../../platform/config/index.js';
import type { Database } from '../../platform/database/index.js';

/** The resources of a CLI command that needs the database. */
export interface CliSession {
  readonly app: INestApplicationContext;
  readonly config: Config;
  readonly database: Database;
  /** For the service's role. */
  readonly databaseUrl: string;
  /**
   * The URL for the database's owner: what the service's role may not do. @throws DatabaseUnreachable, DatabasesDiffer
   */
  readonly owner: () => Promise<string>;
}

/** The help text of a command that needs more rights than the service's role. */
export const AS_OWNER = "needs the database's owner: MIGRATION_DATABASE_URL, or else DATABASE_URL";

/** Gives commands the application: it is created only for those that need it, and always closed. */
export interface CliContext {
  readonly withSession: <T>(work: (session: CliSession) => Promise<T>) => Promise<T>;
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, context: CliContext) => void;

export function say(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
