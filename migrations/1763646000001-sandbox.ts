import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the sandbox plays: a bank at the other end, with books of its own in a schema of its own. It knows no partitions
 * and shares nothing with the ledger but the server; on a distributed database its tables stay local.
 * Names, tax numbers, keys and accounts are in the sealed columns (`payee`, `payer`).
 */
export class Sandbox1763646000001 implements MigrationInterface {
  name = 'Sandbox1763646000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create schema sandbox`);

    // An unknown charge that is closed has no more than its txid.
    await runner.query(`
      create table sandbox.charge (
        txid text primary key,
        location text,
        amount bigint,
        expires_at timestamptz,
        status text not null check (status in ('Open', 'Closed', 'Paid', 'Rejected', 'Returned')),
        code text,
        paid_by text
      ) with (fillfactor = 80)`);

    await runner.query(`
      create table sandbox.payment_in (
        end_to_end_id text primary key,
        txid text,
        amount bigint not null check (amount > 0),
        payer bytea not null,
        at timestamptz not null,
        disposition text
      )`);
    await runner.query(`create index payment_in_by_time on sandbox.payment_in (at, end_to_end_id)`);

    await runner.query(`
      create table sandbox.payment_out (
        end_to_end_id text primary key,
        amount bigint not null check (amount > 0),
        payee bytea not null,
        status text not null check (status in ('Pending', 'Settled', 'Rejected', 'Returned')),
        code text,
        at timestamptz
      ) with (fillfactor = 80)`);
    await runner.query(`
      create index payment_out_by_time on sandbox.payment_out (at, end_to_end_id) where status = 'Settled'`);

    await runner.query(`
      create table sandbox.refund_out (
        return_id text primary key,
        end_to_end_id text not null,
        amount bigint not null check (amount > 0),
        status text not null check (status in ('Pending', 'Settled', 'Rejected')),
        code text,
        at timestamptz
      )`);
    await runner.query(`create index refund_out_by_payment on sandbox.refund_out (end_to_end_id)`);
    await runner.query(
      `create index refund_out_by_time on sandbox.refund_out (at, return_id) where status = 'Settled'`,
    );

    // One return a payment is all that the script knows; `at` is empty until it is due.
    await runner.query(`
      create table sandbox.refund_in (
        return_id text primary key,
        end_to_end_id text not null unique,
        amount bigint not null check (amount > 0),
        code text not null,
        at timestamptz
      )`);
    await runner.query(`create index refund_in_by_time on sandbox.refund_in (at, return_id) where at is not null`);

    await runner.query(`
      create table sandbox.task (
        id uuid primary key,
        kind text not null,
        subject text not null,
        payload json not null,
        due_at timestamptz not null,
        leased_until timestamptz,
        lease uuid,
        attempts int not null default 0
      ) with (fillfactor = 70)`);
    await runner.query(`create index task_due on sandbox.task (due_at)`);

    await runner.query(`
      create table sandbox.behaviour (
        id int primary key check (id = 1),
        notifications text not null check (notifications in ('deliver', 'drop')),
        delay_ms int not null check (delay_ms >= 0),
        copies int not null check (copies > 0),
        refunds text not null check (refunds in ('settle', 'hold'))
      )`);
    await runner.query(`insert into sandbox.behaviour values (1, 'deliver', 0, 1, 'settle')`);

    await runner.query(`grant usage on schema sandbox to payments_service`);
    await runner.query(`grant select, insert, update on all tables in schema sandbox to payments_service`);
    await runner.query(`grant delete on sandbox.task to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
