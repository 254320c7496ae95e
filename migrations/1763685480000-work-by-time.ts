import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of work by time serves only statements that ask for it (`kind <> ''`). Before PostgreSQL has statistics it
 * read one partner's work through everybody's.
 */
export class WorkByTime1763685480000 implements MigrationInterface {
  name = 'WorkByTime1763685480000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query('drop index work_due');
    await runner.query(`
      create index work_due on work (partition, kind, due_at)
      where due_at is not null and kind <> ''`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
