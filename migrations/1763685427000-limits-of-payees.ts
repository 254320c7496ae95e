import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What payees get in a day or a night, and payees with limits of their own (inline projections). */
export class LimitsOfPayees1763685427000 implements MigrationInterface {
  name = 'LimitsOfPayees1763685427000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create table payee_uses (
        partition int not null,
        id text collate "C" not null,
        uses json not null,
        primary key (partition, id)
      )`);
    await runner.query(`
      create table secure_contact (
        partition int not null,
        id text collate "C" not null,
        account_uid uuid not null,
        person json not null,
        terms json not null,
        in_force_from timestamptz not null,
        counters json not null,
        status text not null,
        registered_at timestamptz not null,
        primary key (partition, id)
      )`);
    await runner.query(`create index secure_contact_by_account on secure_contact (partition, account_uid, id)`);
    await runner.query(`grant select, insert, update on payee_uses, secure_contact to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
