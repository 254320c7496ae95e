import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments that wait for their turn at the rail: each partner's oldest is found however many the others have. */
export class WorkLine1763671026000 implements MigrationInterface {
  name = 'WorkLine1763671026000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create index work_line on work (partition, kind, (payload ->> 'partnerUid'), due_at)
      where payload ->> 'partnerUid' is not null`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
