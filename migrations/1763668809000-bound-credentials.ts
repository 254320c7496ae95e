import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stored hashes are sealed for their key or auditor, and the history says so; a log-in rewrites older ones. Sessions of
 * the console are sealed: those of before end.
 */
export class BoundCredentials1763668809000 implements MigrationInterface {
  name = 'BoundCredentials1763668809000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table access_key add column bound boolean not null default false`);
    await runner.query(`alter table auditor add column bound boolean not null default false`);
    await runner.query(`alter table console_session add column seal bytea`);
    await runner.query(`grant update (value) on secret to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
