import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pix: the ledger's movements at the rail (async projection), and how far the rail has been swept. */
export class Pix1763646000000 implements MigrationInterface {
  name = 'Pix1763646000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create table pix_movement (
        partition int not null,
        kind text not null,
        rail_id text not null,
        amount bigint not null,
        at timestamptz not null,
        transaction_id uuid,
        position bigint not null,
        primary key (partition, kind, rail_id)
      )`);
    await runner.query(`create index pix_movement_by_time on pix_movement (partition, at)`);
    await runner.query(`
      create table pix_sweep (
        partition int not null,
        rail text not null,
        swept_until timestamptz not null,
        primary key (partition, rail)
      )`);
    await runner.query(`grant select, insert, update, delete on pix_movement, pix_sweep to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
