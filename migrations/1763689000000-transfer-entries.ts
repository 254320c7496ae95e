import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transfer that is made at once has its two statement entries in its row of `transaction` (docs/adr/0038). Entries
 * are found by position, as transactions are. Transfers that were made before keep their rows in `entry`.
 */
export class TransferEntries1763689000000 implements MigrationInterface {
  name = 'TransferEntries1763689000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      alter table transaction
        add column entry int,
        add column balance bigint,
        add column counterparty_entry int,
        add column counterparty_balance bigint`);
    await runner.query(`alter table entry drop constraint entry_pkey`);
    await runner.query(`
      alter table entry add constraint entry_pkey primary key (partition, account_uid, position, number)`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
