import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transactions that wait for their time, and schedules that make them (inline projections). */
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
    await runner.query(`
      create table schedule (
        partition int not null,
        id uuid not null,
        partner_uid uuid not null,
        account_uid uuid not null,
        kind text not null,
        state text not null,
        every text not null,
        starts_at timestamptz not null,
        count int not null,
        retry_for_hours int,
        makes json not null,
        runs json not null,
        timer_id uuid,
        created_at timestamptz not null,
        version int not null,
        primary key (partition, id)
      )`);
    await runner.query(`create index schedule_by_account on schedule (partition, account_uid, id)`);
    await runner.query(`grant select, insert, update on scheduled_transaction, schedule to payments_service`);
    await runner.query(`alter table transaction_search add column scheduled_for timestamptz`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
