import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An account's history is partial, on a column that is never null: so it serves statements that name an account, and
 * nothing else. While PostgreSQL has no statistics of a table, any index that begins with the partition looks as good
 * for a row by its key as the key's own, and a read went through all of the partition.
 */
export class HistoryIndexes1763665200000 implements MigrationInterface {
  name = 'HistoryIndexes1763665200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`drop index transaction_by_account`);
    await runner.query(`
      create index transaction_by_account on transaction (partition, account_uid, position)
      where account_uid is not null`);
    await runner.query(`drop index webhook_delivery_log`);
    await runner.query(`
      create index webhook_delivery_log on webhook_delivery (partition, account_uid, position)
      where account_uid is not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
