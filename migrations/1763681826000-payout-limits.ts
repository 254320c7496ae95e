import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits of an account's payouts, and what counts against them: null until the operator sets one. */
export class PayoutLimits1763681826000 implements MigrationInterface {
  name = 'PayoutLimits1763681826000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table account add column payout_limits json`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
