import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where partners are told what happens to their accounts (inline projection), and deliveries of that. */
export class AccountWebhooks1763685426000 implements MigrationInterface {
  name = 'AccountWebhooks1763685426000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    // One row an event: the newest before a position says where an account was told then. No url: nowhere.
    await runner.query(`
      create table account_webhook (
        partition int not null,
        id uuid not null,
        account_uid uuid not null,
        partner_uid uuid not null,
        position bigint not null,
        url text,
        header_name text,
        header_secret uuid,
        at timestamptz not null,
        primary key (partition, id)
      )`);
    await runner.query(`create index account_webhook_newest on account_webhook (partition, account_uid, position)`);
    await runner.query(`grant select, insert on account_webhook to payments_service`);

    // Few are open: they are counted without reading those that have ended.
    await runner.query(`create index hold_open on hold (partition, id) where status = 'Open'`);

    await runner.query(`alter table webhook_delivery add column type text`);
    await runner.query(`alter table webhook_delivery alter column transaction_state drop not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
