import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transfer that was made at once has no row in the search any more: its row in `transaction` has all that a search
 * asks for (docs/adr/0030). Amounts and tails of identifiers are found there by a summary of each range of pages,
 * which a commit does not write.
 */
export class TransfersUnsearched1763685460000 implements MigrationInterface {
  name = 'TransfersUnsearched1763685460000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`drop index transaction_search_transfers`);
    await runner.query(`drop index transaction_search_tail`);
    await runner.query(`drop index transaction_search_kind`);
    await runner.query(`drop index transaction_search_partner`);
    await runner.query(`
      delete from transaction_search where type = 'Transfer' and state = 'Completed' and version = 1`);
    await runner.query(`create index transaction_search_kind on transaction_search (partition, type, state, id)`);
    await runner.query(`
      create index transaction_search_partner on transaction_search (partition, partner_uid, type, state, id)`);
    // Some 1,100 rows a range: a Bloom filter of each has one wrong answer in a hundred.
    await runner.query(`
      create index transaction_found on transaction using brin (
        amount int8_bloom_ops (n_distinct_per_range = 1200),
        right(id::text, 12) text_bloom_ops (n_distinct_per_range = 1200)
      ) with (pages_per_range = 32, autosummarize = on)`);
    // The last range is not full yet: summarised, it would be written again with every row.
    await runner.query(`
      select brin_desummarize_range(
        'transaction_found',
        greatest(pg_relation_size('transaction') / current_setting('block_size')::bigint - 1, 0))`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
