import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { Config } from '../../platform/config/index.js';
import type { Database } from '../../platform/database/index.js';

/** What a command of the CLI works with, once it needs the database. */
export interface CliSession {
  readonly app: INestApplicationContext;
  readonly config: Config;
  readonly database: Database;
  /** As which the service works. */
  readonly databaseUrl: string;
  /** Of the database's owner, for what the service's role may not do. */
  readonly ownerUrl: string;
}

/** What the help says of a command that the service's role may not carry out. */
export const AS_OWNER = "needs the database's owner: MIGRATION_DATABASE_URL, or else DATABASE_URL";

/** How commands reach the application: it is put together only for those that need it, and always taken down. */
export interface CliContext {
  readonly withSession: <T>(work: (session: CliSession) => Promise<T>) => Promise<T>;
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, context: CliContext) => void;

export function say(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
