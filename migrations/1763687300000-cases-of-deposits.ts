import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The end of a refund wakes the cases of its deposit. */
export class CasesOfDeposits1763687300000 implements MigrationInterface {
  name = 'CasesOfDeposits1763687300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`create index infraction_by_transaction on infraction (partition, transaction_id)`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
