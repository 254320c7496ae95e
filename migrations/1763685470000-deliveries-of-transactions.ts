import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest delivery of one transaction is found by its key, however many refunds its chain has. */
export class DeliveriesOfTransactions1763685470000 implements MigrationInterface {
  name = 'DeliveriesOfTransactions1763685470000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`drop index webhook_delivery_chain`);
    await runner.query(`
      create index webhook_delivery_chain on webhook_delivery (partition, chain, transaction_id, position)`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
