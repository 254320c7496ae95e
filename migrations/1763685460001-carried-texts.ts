import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last event of a commit may carry the texts of all its events, compressed (docs/adr/0031). Such an event has the
 * distance to that one, and no texts of its own. Events that are in the log stay as they are.
 */
export class CarriedTexts1763685460001 implements MigrationInterface {
  name = 'CarriedTexts1763685460001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`alter table event alter column data drop not null`);
    await runner.query(`alter table event alter column metadata drop not null`);
    await runner.query(`alter table event add column ahead int`);
    await runner.query(`alter table event add column texts bytea`);
    // It is compressed already. Citus refuses this for a table in shards: there another try to compress it is the cost.
    await runner.query(`
      do $$ begin alter table event alter column texts set storage external;
      exception when feature_not_supported then null; end $$`);
    await runner.query(`
      alter table event add constraint event_has_texts check (
        (data is null) = (ahead is not null) and (metadata is null) = (ahead is not null)
        and (texts is not null) = (ahead is not distinct from 0))`);
    // A transfer made at once is the only event of its stream, and its transaction's key keeps it the only one.
    await runner.query(`alter table event drop constraint event_partition_stream_version_key`);
    await runner.query(`
      create unique index event_by_stream on event (partition, stream, version)
      where not (type = 'TransferSettled' and version = 1)`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
