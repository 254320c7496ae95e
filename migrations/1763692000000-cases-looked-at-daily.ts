import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each case of the MED is looked at every day. Earlier versions had it looked at by its deadlines only, months ahead.
 */
export class CasesLookedAtDaily1763692000000 implements MigrationInterface {
  name = 'CasesLookedAtDaily1763692000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    const tomorrow = `now() + interval '1 day'`;
    await runner.query(`update work set due_at = ${tomorrow} where kind = 'med-case' and due_at > ${tomorrow}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
