import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lanes count a correction themselves when a batch got lost on its way: it can no longer be written then. */
export class HeadFence1763662000000 implements MigrationInterface {
  name = 'HeadFence1763662000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`grant update (corrections) on log_head to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
