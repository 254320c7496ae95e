import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a delivery's attempt was due at first, however often it is postponed: one to a dead receiver is exhausted by the
 * time that it waits itself, not by the age of its event, which may have waited for others of its transaction.
 */
export class DeliveriesDueSince1763687400000 implements MigrationInterface {
  name = 'DeliveriesDueSince1763687400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table webhook_delivery add column due_since timestamptz`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
