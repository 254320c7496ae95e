import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What became of a delivery is sealed by the process that writes it. Those of before have no seal: whoever runs the
 * service seals them once (`ledger seal-deliveries`), as SQL has no key.
 */
export class DeliveriesSealed1763693000000 implements MigrationInterface {
  name = 'DeliveriesSealed1763693000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table webhook_delivery add column seal bytea`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
