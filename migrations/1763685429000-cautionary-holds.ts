import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rules of a partner's cautionary holds, what a hold of a deposit has beside others, and who paid a deposit. The payer
 * has a column of its own: an index on `details` would make every change of every transaction costlier.
 */
export class CautionaryHolds1763685429000 implements MigrationInterface {
  name = 'CautionaryHolds1763685429000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`alter table partner add column cautionary_rules json not null default '[]'`);

    await runner.query(`alter table hold add column returned bigint not null default 0`);
    await runner.query(`alter table hold add column expires_at timestamptz`);
    await runner.query(`alter table hold add column deposit_id uuid`);
    await runner.query(`alter table hold drop constraint hold_is_not_exceeded`);
    await runner.query(`
      alter table hold add constraint hold_is_not_exceeded
        check (filled <= amount and released + executed + returned <= filled)`);

    await runner.query(`alter table transaction add column payer uuid`);
    await runner.query(`
      update transaction set payer = (details -> 'payer' ->> 'subject')::uuid
      where type = 'CashIn' and state = 'Completed'`);
    await runner.query(`
      create index transaction_by_payer on transaction (partition, account_uid, payer) where payer is not null`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
