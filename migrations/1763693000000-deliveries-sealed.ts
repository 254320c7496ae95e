import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What became of a delivery is sealed by the process that writes it. Those of before have no seal: whoever runs the
 * service seals them once (`ledger seal-deliveries`), as SQL has no key. Up to where they reach is kept until then, so
 * that they are told from those that somebody took the seal from: a new database has none.
 */
export class DeliveriesSealed1763693000000 implements MigrationInterface {
  name = 'DeliveriesSealed1763693000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table webhook_delivery add column seal bytea`);
    await runner.query(`
      create table unsealed_deliveries (
        partition int not null,
        up_to bigint not null,
        primary key (partition)
      )`);
    await runner.query(`
      insert into unsealed_deliveries (partition, up_to)
      select h.partition, h.position from log_head h
      where exists (select from webhook_delivery d where d.partition = h.partition)`);
    await runner.query(`grant select, delete on unsealed_deliveries to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
