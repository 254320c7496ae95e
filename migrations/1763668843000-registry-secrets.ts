import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Secrets of access keys, auditors and partners' webhooks go where the registry's tables are, whole on every node of a
 * cluster: logins and signatures of webhooks go on while the node of the registry's log is away.
 */
export class RegistrySecrets1763668843000 implements MigrationInterface {
  name = 'RegistrySecrets1763668843000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create table registry_secret (
        partition int not null,
        id uuid not null,
        value bytea not null,
        primary key (partition, id)
      )`);
    await runner.query(`
      insert into registry_secret (partition, id, value) select partition, id, value from secret where partition = 0`);
    await runner.query(`delete from secret where partition = 0`);
    await runner.query(`grant select, insert, update on registry_secret to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
