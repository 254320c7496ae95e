import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Since when all attempts of a work item were refused, and up to which. Any process may make the next attempt, so what
 * it is to know of those before it is in the row.
 */
export class RefusedAttempts1763689100000 implements MigrationInterface {
  name = 'RefusedAttempts1763689100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table work add column refused_since timestamptz, add column refused_attempt int`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
