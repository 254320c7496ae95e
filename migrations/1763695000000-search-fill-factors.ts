import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Room for updates in the pages of the search, as its tables were made with: a rebuild by earlier versions lost it. */
export class SearchFillFactors1763695000000 implements MigrationInterface {
  name = 'SearchFillFactors1763695000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query('alter table transaction_search set (fillfactor = 85)');
    await runner.query('alter table transaction_total set (fillfactor = 50)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
