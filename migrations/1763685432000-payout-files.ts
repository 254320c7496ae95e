import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of payouts (inline projection), their lines that wait (work data), and how their payouts ended. */
export class PayoutFiles1763685432000 implements MigrationInterface {
  name = 'PayoutFiles1763685432000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`
      create table payout_file (
        partition int not null,
        id uuid not null,
        partner_uid uuid not null,
        account_uid uuid not null,
        access_key text not null,
        format text not null,
        digest text not null,
        lines int not null,
        amount bigint not null,
        state text not null,
        run int not null,
        registered int not null,
        registered_amount bigint not null,
        refused int not null,
        refused_amount bigint not null,
        accepted_at timestamptz not null,
        ended_at timestamptz,
        position bigint not null,
        version int not null,
        primary key (partition, id),
        constraint payout_file_runs_its_lines check (registered + refused <= lines)
      )`);
    await runner.query(`create index payout_file_by_account on payout_file (partition, account_uid, id)`);
    await runner.query(`create index payout_file_by_partner on payout_file (partition, partner_uid, id)`);
    await runner.query(`grant select, insert, update on payout_file to payments_service`);

    // Sealed lines in chunks, deleted as they are run: no foreign key, since they come before their file's event.
    await runner.query(`
      create table payout_file_input (
        partition int not null,
        file_id uuid not null,
        chunk int not null,
        sealed bytea not null,
        primary key (partition, file_id, chunk)
      )`);
    // What is sealed does not compress.
    await runner.query(`alter table payout_file_input alter column sealed set storage external`);
    await runner.query(`grant select, insert, delete on payout_file_input to payments_service`);

    await runner.query(`
      create table payout_file_ending (
        partition int not null,
        file_id uuid not null,
        state text not null,
        count bigint not null,
        amount numeric not null,
        primary key (partition, file_id, state)
      )`);
    await runner.query(`grant select, insert, update, delete on payout_file_ending to payments_service`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
