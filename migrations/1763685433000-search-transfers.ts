import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transfer is in the search's indexes of kinds no more: it has one kind and one state. An own, shorter index has a
 * partner's transfers; all transfers are found in the order of identifiers (docs/adr/0032).
 */
export class SearchTransfers1763685433000 implements MigrationInterface {
  name = 'SearchTransfers1763685433000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`drop index transaction_search_kind`);
    await runner.query(`
      create index transaction_search_kind on transaction_search (partition, type, state, id)
      where type <> 'Transfer'`);
    await runner.query(`drop index transaction_search_partner`);
    await runner.query(`
      create index transaction_search_partner on transaction_search (partition, partner_uid, type, state, id)
      where type <> 'Transfer'`);
    await runner.query(`
      create index transaction_search_transfers on transaction_search (partition, partner_uid, id)
      where type = 'Transfer'`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
