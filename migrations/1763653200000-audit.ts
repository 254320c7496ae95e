import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What auditors need: interior nodes of the trees, signed checkpoints, auditors. */
export class Audit1763653200000 implements MigrationInterface {
  name = 'Audit1763653200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`
      create table tree_node (
        partition int not null,
        level smallint not null,
        index bigint not null,
        hash bytea not null,
        primary key (partition, level, index)
      )`);

    await runner.query(`
      create table checkpoint (
        partition int not null,
        size bigint not null,
        root bytea not null,
        note text not null,
        signed_at timestamptz not null,
        primary key (partition, size)
      )`);

    await runner.query(`
      create table auditor (
        partition int not null,
        id uuid not null,
        name text not null,
        partner_uid uuid,
        status text not null,
        registered_at timestamptz not null,
        version int not null,
        primary key (partition, id)
      )`);

    await runner.query(`
      create table forgotten_subject (
        partition int not null,
        subject uuid not null,
        forgotten_at timestamptz not null,
        primary key (partition, subject)
      )`);

    // Most accounts rarely have anything held: the last entry of that bucket must be found without looking through all.
    await runner.query(`create index entry_held on entry (partition, account_uid, number) where bucket = 'held'`);

    await runner.query(`grant select, insert on tree_node, checkpoint to payments_service`);
    await runner.query(`grant select, insert, update on auditor, forgotten_subject to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
