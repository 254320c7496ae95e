import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the night's comparison found: the days that were compared, and a case for each difference. */
export class Reconciliation1763674626000 implements MigrationInterface {
  name = 'Reconciliation1763674626000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`
      create table reconciled_day (
        partition int not null,
        day text collate "C" not null,
        mismatched int not null,
        balance jsonb,
        before jsonb,
        primary key (partition, day)
      )`);

    await runner.query(`
      create table reconciliation_case (
        partition int not null,
        id uuid not null,
        day text collate "C" not null,
        kind text not null,
        reference text not null,
        transaction_id uuid,
        rail bigint,
        ledger bigint,
        status text not null,
        opened_at timestamptz not null,
        closed_at timestamptz,
        closed_by text,
        note text,
        primary key (partition, id)
      )`);
    await runner.query(`create index reconciliation_case_by_day on reconciliation_case (partition, day, id)`);
    await runner.query(
      `create index reconciliation_case_open on reconciliation_case (partition) where status = 'Open'`,
    );

    await runner.query(`grant select, insert, update on reconciled_day, reconciliation_case to payments_service`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
