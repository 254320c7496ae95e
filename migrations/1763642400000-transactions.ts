import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The transaction view (inline projection): transfers, deposits, payouts and refunds as partners read them. */
export class Transactions1763642400000 implements MigrationInterface {
  name = 'Transactions1763642400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create table transaction (
        partition int not null,
        id uuid not null,
        type text not null,
        state text not null,
        account_uid uuid not null,
        counterparty_uid uuid,
        amount bigint not null,
        charges bigint not null,
        order_id text,
        end_to_end_id text,
        refund_of uuid,
        error_reason text,
        state_dates json not null,
        details json,
        position bigint not null,
        version int not null,
        primary key (partition, id)
      ) with (fillfactor = 85)`);
    await runner.query(`create index transaction_by_account on transaction (partition, account_uid, position)`);
    await runner.query(`
      create index transaction_by_counterparty on transaction (partition, counterparty_uid, position)
      where counterparty_uid is not null`);
    await runner.query(`
      create index transaction_by_order on transaction (partition, account_uid, order_id, position)
      where order_id is not null`);
    await runner.query(`
      create index transaction_by_end_to_end_id on transaction (partition, end_to_end_id)
      where end_to_end_id is not null`);
    await runner.query(`grant select, insert, update on transaction to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
