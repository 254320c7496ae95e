import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * By what operators and auditors find partners, accounts and access keys: keyed hashes of words of their names, of
 * their numbers and of the tails of their identifiers. Nothing stands there in clear; what is of a person goes with
 * their key.
 */
export class Directory1763668842000 implements MigrationInterface {
  name = 'Directory1763668842000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    // position: of the event that made it, on the one row that everything in the directory has.
    await runner.query(`
      create table directory_word (
        partition int not null,
        word bytea not null,
        partner_uid uuid not null,
        uid uuid not null,
        kind text not null check (kind in ('Partner', 'Account', 'AccessKey')),
        subject uuid,
        position bigint,
        primary key (partition, word, partner_uid, uid)
      )`);
    await runner.query(`
      create index directory_word_subject on directory_word (partition, subject) where subject is not null`);
    await runner.query(
      `create index directory_word_made on directory_word (partition, uid) where position is not null`,
    );
    await runner.query(`grant select, insert, update, delete on directory_word to payments_service`);
    // Lists show the end of an identifier; a table of a projection, so that the write path has no index more.
    await runner.query(`
      create index transaction_search_tail on transaction_search (partition, right(id::text, 12))`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
