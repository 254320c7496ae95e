import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the console reads: transactions as they are searched for, and their totals over time (both async projections,
 * so that the write path has no index more than before), sessions, and runs of the verifier.
 */
export class Console1763656800000 implements MigrationInterface {
  name = 'Console1763656800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`
      create table transaction_search (
        partition int not null,
        id uuid not null,
        partner_uid uuid not null,
        type text not null,
        state text not null,
        amount bigint not null,
        order_id text,
        refund_of uuid,
        registered_at timestamptz not null,
        position bigint not null,
        version int not null,
        changes int not null,
        changed_position bigint not null,
        primary key (partition, id)
      ) with (fillfactor = 85)`);
    // Identifiers are in order of time: every list is read backwards through one of these.
    await runner.query(`create index transaction_search_kind on transaction_search (partition, type, state, id)`);
    await runner.query(`
      create index transaction_search_partner on transaction_search (partition, partner_uid, type, state, id)`);
    await runner.query(`create index transaction_search_amount on transaction_search (partition, amount, id)`);
    await runner.query(`
      create index transaction_search_order on transaction_search (partition, order_id, id) where order_id is not null`);
    await runner.query(`
      create index transaction_search_refund on transaction_search (partition, refund_of, id)
      where refund_of is not null`);

    // Who paid or was paid, by the random id of the data subject.
    await runner.query(`
      create table transaction_subject (
        partition int not null,
        subject uuid not null,
        id uuid not null,
        primary key (partition, subject, id)
      )`);

    // latency: in eighths of a doubling of a millisecond; -1 where there is none to tell.
    await runner.query(`
      create table transaction_total (
        partition int not null,
        step text not null check (step in ('minute', 'hour', 'day')),
        at timestamptz not null,
        type text not null,
        state text not null,
        latency smallint not null,
        count bigint not null,
        amount numeric not null,
        primary key (partition, step, at, type, state, latency)
      ) with (fillfactor = 50)`);

    // Of people at the console, not of the ledger: these two know no partitions.
    await runner.query(`
      create table console_session (
        id bytea primary key,
        role text not null check (role in ('operator', 'auditor')),
        subject text not null,
        fingerprint bytea not null,
        seen_at timestamptz not null,
        expires_at timestamptz not null
      )`);
    await runner.query(`create index console_session_end on console_session (expires_at)`);
    await runner.query(`
      create table verification_run (
        id uuid primary key,
        started_by text not null,
        status text not null check (status in ('Running', 'Finished', 'Failed')),
        started_at timestamptz not null,
        seen_at timestamptz not null,
        finished_at timestamptz,
        examined bigint not null default 0,
        total bigint not null default 0,
        fault text,
        report json
      )`);
    await runner.query(
      `create unique index verification_run_one on verification_run (status) where status = 'Running'`,
    );

    await runner.query(`create index access_key_by_account on access_key (partition, account_uid, id)`);

    await runner.query(`
      grant select, insert, update, delete on transaction_search, transaction_subject, transaction_total
      to payments_service`);
    await runner.query(`grant select, insert, update, delete on console_session, verification_run to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
