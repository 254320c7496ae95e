import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account's active schedules, which each new one counts: those that have ended are not read, however many. */
export class ActiveSchedules1763695100000 implements MigrationInterface {
  name = 'ActiveSchedules1763695100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create index schedule_active on schedule (partition, account_uid, id) where state = 'Active'`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
