import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries that failed, the newest first, of a partner and of one of its origins: those of one partner are found
 * however many another has. Both indexes have failed ones only, so what is delivered writes neither.
 */
export class DeliveriesFailed1763691000000 implements MigrationInterface {
  name = 'DeliveriesFailed1763691000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create index webhook_delivery_failed on webhook_delivery (partition, partner_uid, status, id)
      where status in ('Stopped', 'Exhausted')`);
    await runner.query(`
      create index webhook_delivery_failed_at on webhook_delivery (partition, lane, status, id)
      where status in ('Stopped', 'Exhausted')`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
