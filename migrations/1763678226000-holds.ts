import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Holds on accounts (inline projection), and what they block of a balance. */
export class Holds1763678226000 implements MigrationInterface {
  name = 'Holds1763678226000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    // One at a time: a distributed table takes no constraint beside another change.
    await runner.query(`alter table account add column blocked bigint not null default 0`);
    await runner.query(`alter table account add column filling json`);
    await runner.query(
      `alter table account add constraint account_blocks_what_it_has check (system is not null or blocked >= 0)`,
    );
    // As with `entry_held`: the last entry of the bucket must be found without looking through all.
    await runner.query(`create index entry_blocked on entry (partition, account_uid, number) where bucket = 'blocked'`);

    await runner.query(`
      create table hold (
        partition int not null,
        id uuid not null,
        account_uid uuid not null,
        cause text not null,
        reference text not null,
        amount bigint not null,
        filled bigint not null,
        released bigint not null,
        executed bigint not null,
        retry_until timestamptz,
        status text not null,
        placed_at timestamptz not null,
        version int not null,
        primary key (partition, id),
        constraint hold_is_not_exceeded check (filled <= amount and released + executed <= filled)
      )`);
    await runner.query(`create index hold_by_account on hold (partition, account_uid, id)`);
    await runner.query(`grant select, insert, update on hold to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
