import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stored hashes are bound to their key or auditor, and the history carries their digest; a log-in rewrites older ones.
 * Sessions of the console are sealed: those of before end.
 */
export class BoundCredentials1763668800009 implements MigrationInterface {
  name = 'BoundCredentials1763668800009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table access_key add column credential text`);
    await runner.query(`alter table auditor add column credential text`);
    await runner.query(`alter table console_session add column seal bytea`);
    await runner.query(`grant update (value) on secret to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
