import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of a partner's list holds what the list shows, and not the accounts of the system. Without that condition
 * PostgreSQL 18, which can skip a column of an index, read all of it for accounts by their `uid`, until the table's
 * first statistics told it otherwise: the list's condition is one that no look-up by `uid` has.
 */
export class AccountList1763658000000 implements MigrationInterface {
  name = 'AccountList1763658000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`drop index account_by_partner`);
    await runner.query(`create index account_by_partner on account (partition, partner_uid, uid) where system is null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
