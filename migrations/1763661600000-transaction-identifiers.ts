import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An identifier of the rail stands for one transaction of its type: under one that two payouts had, the rail would pay
 * the first and take the second for the same. Of its type, because a payout to a charge of ours is a deposit too, under
 * one EndToEndId. Transfers have no identifier, and are not in the index.
 */
export class TransactionIdentifiers1763661600000 implements MigrationInterface {
  name = 'TransactionIdentifiers1763661600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`drop index transaction_by_end_to_end_id`);
    await runner.query(`
      create unique index transaction_by_end_to_end_id on transaction (partition, end_to_end_id, type)
      where end_to_end_id is not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
