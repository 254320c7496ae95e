import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sandbox keeps which payout paid a charge of the service's own: what goes back of it comes back to that payout.
 */
export class PaidByPayout1763694300000 implements MigrationInterface {
  name = 'PaidByPayout1763694300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table sandbox.payment_in add column paid_by text`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
