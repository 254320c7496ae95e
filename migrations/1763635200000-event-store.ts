import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The kernel's tables: the log and its head, idempotency, subject keys, secrets, checkpoints of followers, work. */
export class EventStore1763635200000 implements MigrationInterface {
  name = 'EventStore1763635200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);

    await runner.query(`
      do $$
      begin
        if not exists (select from pg_roles where rolname = 'payments_service') then
          create role payments_service nologin;
        end if;
      exception when duplicate_object or unique_violation then null;
      end $$`);
    await runner.query(`
      do $$
      begin
        if not pg_has_role(current_user, 'payments_service', 'member') then
          execute format('grant payments_service to %I', current_user);
        end if;
      exception when unique_violation then null;
      end $$`);

    await runner.query(`
      create table log_head (
        partition int primary key,
        position bigint not null check (position >= 0),
        root bytea not null,
        peaks bytea not null,
        time timestamptz not null
      ) with (fillfactor = 10)`);

    await runner.query(`
      create table event (
        partition int not null,
        position bigint not null check (position > 0),
        event_id uuid not null,
        stream text not null,
        version int not null check (version > 0),
        type text not null,
        schema_version smallint not null,
        time timestamptz not null,
        data json not null,
        metadata json not null,
        leaf bytea not null,
        primary key (partition, position),
        unique (partition, stream, version)
      )`);
    await runner.query(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the event log is append-only' using errcode = 'insufficient_privilege';
      end $$`);
    await runner.query(`
      create trigger event_is_append_only before update or delete on event
      for each row execute function refuse_change()`);
    await runner.query(`
      create trigger event_is_not_truncated before truncate on event
      for each statement execute function refuse_change()`);

    await runner.query(`
      create table idempotency (
        partition int not null,
        id bytea not null,
        request bytea not null,
        position bigint not null,
        events int not null,
        primary key (partition, id)
      )`);

    await runner.query(`
      create table subject_key (
        partition int not null,
        subject uuid not null,
        lookup bytea not null,
        wrapped_key bytea not null,
        primary key (partition, subject),
        unique (partition, lookup)
      )`);

    await runner.query(`
      create table secret (
        partition int not null,
        id uuid not null,
        value bytea not null,
        primary key (partition, id)
      )`);

    await runner.query(`
      create table subscription (
        partition int not null,
        consumer text not null,
        position bigint not null default 0,
        primary key (partition, consumer)
      ) with (fillfactor = 50)`);

    await runner.query(`
      create table work (
        partition int not null,
        id uuid not null,
        kind text not null,
        subject uuid not null,
        payload json not null,
        due_at timestamptz,
        leased_until timestamptz,
        lease uuid,
        attempts int not null default 0,
        primary key (partition, id)
      ) with (fillfactor = 70)`);
    await runner.query(`create index work_due on work (partition, kind, due_at) where due_at is not null`);

    await runner.query(`
      create table setting_fingerprint (
        name text primary key,
        fingerprint bytea not null
      )`);

    await runner.query(`grant usage on schema public to payments_service`);
    await runner.query(`grant select, insert on event to payments_service`);
    await runner.query(`grant select, update (position, root, peaks, time) on log_head to payments_service`);
    await runner.query(`grant select, insert on idempotency, secret, setting_fingerprint to payments_service`);
    await runner.query(`grant select, insert, delete on subject_key to payments_service`);
    await runner.query(`grant select, insert, update, delete on subscription, work to payments_service`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
