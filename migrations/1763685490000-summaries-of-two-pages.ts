import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Summaries of two pages instead of 32. A vacuum leaves room in pages where payments were, new transfers fill it, and
 * each of them writes its range's summary again: 1,525 bytes of the log, 280 now (docs/adr/0030).
 */
export class SummariesOfTwoPages1763685490000 implements MigrationInterface {
  name = 'SummariesOfTwoPages1763685490000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query('drop index transaction_found');
    // Some 75 rows a range: a Bloom filter of each has one wrong answer in a hundred.
    await runner.query(`
      create index transaction_found on transaction using brin (
        amount int8_bloom_ops (n_distinct_per_range = 80),
        right(id::text, 12) text_bloom_ops (n_distinct_per_range = 80)
      ) with (pages_per_range = 2)`);
    // The last range is not full yet: summarised, it would be written again with every row.
    await runner.query(`
      select brin_desummarize_range(
        'transaction_found',
        greatest(pg_relation_size('transaction') / current_setting('block_size')::bigint - 1, 0))`);
    // A vacuum summarises what is new. By default it would come when the table has grown by a fifth.
    await runner.query(`
      alter table transaction set (
        autovacuum_vacuum_insert_threshold = 100000,
        autovacuum_vacuum_insert_scale_factor = 0
      )`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
