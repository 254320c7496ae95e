import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A chain's unfinished deliveries: first those that may be sent, which have a due time, then those that wait, in their
 * order. So the next one is found by its key, however many are delivered and however many wait. The index of all of a
 * chain's deliveries serves statements that name a transaction, and nothing else.
 */
export class DeliveriesUnfinished1763687500000 implements MigrationInterface {
  name = 'DeliveriesUnfinished1763687500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    // First: what has a table locked for an index and then needs it alone is in a deadlock with who reads to write it.
    await runner.query(`drop index webhook_delivery_chain`);
    await runner.query(`
      create index webhook_delivery_unfinished on webhook_delivery (partition, chain, due_at, position)
      where status in ('Pending', 'Retrying')`);
    await runner.query(`
      create index webhook_delivery_chain on webhook_delivery (partition, chain, transaction_id, position)
      where transaction_id is not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
