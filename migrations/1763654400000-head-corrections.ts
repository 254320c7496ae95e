import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often a rebuild put rows of a partition right: write lanes that remember rows see by it that they must forget.
 */
export class HeadCorrections1763654400000 implements MigrationInterface {
  name = 'HeadCorrections1763654400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table log_head add column corrections int not null default 0`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
