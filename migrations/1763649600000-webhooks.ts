import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries of webhooks: one row a change of state, which is the queue and the partner's delivery log at once. */
export class Webhooks1763649600000 implements MigrationInterface {
  name = 'Webhooks1763649600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    // due_at is set exactly while the row may be sent: not while it waits for the one before it, not once it is
    // finished.
    await runner.query(`
      create table webhook_delivery (
        partition int not null,
        id uuid not null,
        position bigint not null,
        chain uuid not null,
        transaction_id uuid,
        transaction_state text not null,
        account_uid uuid not null,
        partner_uid uuid not null,
        lane uuid not null,
        url text not null,
        header_name text,
        header_secret uuid,
        material json not null,
        status text not null check (status in ('Pending', 'Retrying', 'Delivered', 'Stopped', 'Exhausted')),
        tries int not null default 0,
        attempts_made int not null default 0,
        attempts jsonb not null default '[]',
        redelivery_position bigint not null default 0,
        due_at timestamptz,
        leased_until timestamptz,
        lease uuid,
        primary key (partition, id)
      ) with (fillfactor = 70)`);

    // The sender's: partners, their lanes, and in a lane the oldest first, each found by its key.
    await runner.query(`
      create index webhook_delivery_due on webhook_delivery (partition, partner_uid, lane, due_at)
      where due_at is not null`);
    // Order within a transaction and its refunds; also the log of one transaction.
    await runner.query(`create index webhook_delivery_chain on webhook_delivery (partition, chain, position)`);
    await runner.query(`create index webhook_delivery_log on webhook_delivery (partition, account_uid, position)`);
    // Nearly all are delivered: what is not is found without reading them.
    await runner.query(`
      create index webhook_delivery_not_delivered on webhook_delivery (partition, account_uid, position)
      where status <> 'Delivered'`);

    await runner.query(`grant select, insert, update on webhook_delivery to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
