import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transactions that wait for their time (inline projection). */
export class Schedules1763685431000 implements MigrationInterface {
  name = 'Schedules1763685431000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    // Apart from `transaction`: an index of that by its state would end its updates in place (HOT), for every payout.
    await runner.query(`
      create table scheduled_transaction (
        partition int not null,
        id uuid not null,
        account_uid uuid not null,
        counterparty_uid uuid,
        waits boolean not null,
        position bigint not null,
        primary key (partition, id)
      )`);
    await runner.query(`
      create index scheduled_by_account on scheduled_transaction (partition, account_uid, position) where waits`);
    await runner.query(`
      create index scheduled_by_counterparty on scheduled_transaction (partition, counterparty_uid, position)
      where waits and counterparty_uid is not null`);
    await runner.query(`grant select, insert, update on scheduled_transaction to payments_service`);
    await runner.query(`alter table transaction_search add column scheduled_for timestamptz`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
