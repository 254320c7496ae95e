import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cases of the special return mechanism (inline projections), and what the sandbox plays of it. */
export class Med1763685428000 implements MigrationInterface {
  name = 'Med1763685428000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`
      create table infraction (
        partition int not null,
        id uuid not null,
        account_uid uuid not null,
        transaction_id uuid not null,
        end_to_end_id text not null,
        rail_id text not null,
        reason text not null,
        details json,
        amount bigint not null,
        hold_id uuid,
        status text not null,
        overdue boolean not null,
        defence json,
        note json,
        agreed bigint,
        returned bigint not null,
        pending bigint not null,
        refusals int not null,
        pause_until timestamptz,
        ending text,
        state_dates json not null,
        reported_at timestamptz not null,
        defence_until timestamptz not null,
        decide_until timestamptz not null,
        return_until timestamptz not null,
        version int not null,
        primary key (partition, id),
        constraint infraction_returns_what_was_agreed check (returned + pending <= coalesce(agreed, 0))
      )`);
    await runner.query(`create index infraction_by_account on infraction (partition, account_uid, id)`);
    await runner.query(`create index infraction_by_hold on infraction (partition, hold_id)`);
    await runner.query(`create index infraction_by_rail_id on infraction (partition, rail_id)`);
    await runner.query(`create index infraction_by_status on infraction (partition, status, id)`);

    await runner.query(`
      create table recovery (
        partition int not null,
        id uuid not null,
        account_uid uuid not null,
        transaction_id uuid not null,
        end_to_end_id text not null,
        reason text not null,
        details json not null,
        amount bigint not null,
        status text not null,
        accepted bigint,
        refusal_code text,
        state_dates json not null,
        version int not null,
        primary key (partition, id)
      )`);
    await runner.query(`create index recovery_by_account on recovery (partition, account_uid, id)`);
    await runner.query(`
      create unique index recovery_under_way on recovery (partition, transaction_id)
      where status in ('Requested', 'Opened')`);
    await runner.query(`grant select, insert, update on infraction, recovery to payments_service`);

    // The payer's words are in the sealed column.
    await runner.query(`
      create table sandbox.infraction (
        id text primary key,
        end_to_end_id text not null,
        amount bigint not null check (amount > 0),
        reason text not null,
        details bytea not null,
        status text not null check (status in ('Open', 'Agreed', 'Rejected', 'Cancelled')),
        reported_at timestamptz not null,
        changed_at timestamptz not null
      )`);
    await runner.query(`create index infraction_by_time on sandbox.infraction (changed_at, id)`);
    await runner.query(`
      create table sandbox.recovery (
        id text primary key,
        end_to_end_id text not null,
        amount bigint not null check (amount > 0),
        details bytea not null,
        status text not null check (status in ('Pending', 'Accepted', 'Refused')),
        accepted bigint,
        code text,
        changed_at timestamptz not null
      )`);
    await runner.query(`grant select, insert, update on sandbox.infraction, sandbox.recovery to payments_service`);
    // A recovery brings money of a payment that the script may have returned a part of already.
    await runner.query(`alter table sandbox.refund_in drop constraint refund_in_end_to_end_id_key`);
    await runner.query(`
      create unique index refund_in_by_script on sandbox.refund_in (end_to_end_id) where code = 'MD06'`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
