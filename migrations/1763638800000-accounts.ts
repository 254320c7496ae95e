import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partners, accounts, access keys (inline projections), and the statement (async projection). */
export class Accounts1763638800000 implements MigrationInterface {
  name = 'Accounts1763638800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    // Amounts are centavos. System accounts may be negative; the partners' own may not, whatever a decider thinks.
    await runner.query(`
      create table account (
        partition int not null,
        uid uuid not null,
        partner_uid uuid not null,
        system text,
        holder json,
        type text not null,
        class text not null,
        status text not null,
        available bigint not null,
        held bigint not null,
        entries int not null,
        opened_at timestamptz not null,
        version int not null,
        primary key (partition, uid),
        constraint account_is_not_overdrawn check (system is not null or (available >= 0 and held >= 0))
      ) with (fillfactor = 50)`);
    await runner.query(`create index account_by_partner on account (partition, partner_uid, uid)`);
    await runner.query(`create sequence account_number minvalue 100001`);

    await runner.query(`
      create table partner (
        partition int not null,
        uid uuid not null,
        home_partition int not null,
        holder json not null,
        settings json not null,
        webhook_secrets json not null,
        registered_at timestamptz not null,
        version int not null,
        primary key (partition, uid)
      )`);
    await runner.query(`
      create table partner_tax_number (
        partition int not null,
        lookup bytea not null,
        partner_uid uuid not null,
        primary key (partition, lookup)
      )`);

    await runner.query(`
      create table access_key (
        partition int not null,
        id uuid not null,
        account_uid uuid not null,
        partner_uid uuid not null,
        name text,
        status text not null,
        permissions text[] not null,
        expires_at timestamptz,
        allowed_ips text[],
        issued_at timestamptz not null,
        version int not null,
        primary key (partition, id)
      )`);

    await runner.query(`
      create table entry (
        partition int not null,
        account_uid uuid not null,
        number int not null,
        position bigint not null,
        bucket text not null,
        amount bigint not null,
        balance bigint not null,
        kind text not null,
        transaction_id uuid,
        description json,
        time timestamptz not null,
        primary key (partition, account_uid, number)
      )`);

    await runner.query(
      `grant select, insert, update on account, partner, partner_tax_number, access_key to payments_service`,
    );
    await runner.query(`grant select, insert, update, delete on entry to payments_service`);
    await runner.query(`grant usage on sequence account_number to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
