import { type Tampering, way } from './tampering.js';

const setForDatabase = (name: string, value: string) =>
  `do $$ begin execute format('alter database %I set ${name} = ${value}', current_database()); end $$`;

/** Two statements: an operator class of others for UUIDs, and the function that it compares by. */
const comparison = (name: string) => [
  `create function before.${name}(uuid, uuid) returns int language sql immutable as 'select uuid_cmp($1, $2)'`,
  `create operator class before.${name} for type uuid using btree
   as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 before.${name}(uuid, uuid)`,
];

export const GUARDS: readonly Tampering[] = [
  way(
    'the trigger that refuses changes, gone',
    `drop trigger event_is_append_only on event`,
    'guards',
    /event_is_append_only.*found nothing/,
  ),
  way(
    'the trigger that refuses to be emptied, switched off',
    `alter table event disable trigger event_is_not_truncated`,
    'guards',
    /event_is_not_truncated on event: 34, D/,
  ),
  way(
    'a trigger more',
    [
      `create function help() returns trigger language plpgsql as 'begin return new; end'`,
      `create trigger helps before insert on account for each row execute function help()`,
    ],
    'guards',
    /helps on account/,
  ),
  way(
    'a trigger more, named as Citus names its own',
    [
      `create function citus_truncate_trigger() returns trigger language plpgsql as 'begin return new; end'`,
      `create trigger truncate_trigger_1 after update on work for each row execute function citus_truncate_trigger()`,
    ],
    'guards',
    /truncate_trigger_1 on work/,
  ),
  way('a rule', `create rule kind as on delete to entry do instead nothing`, 'guards', /rule kind/),
  way('row security', `alter table secret enable row level security`, 'guards', /row security/),
  way(
    'the right to change events',
    `grant update on event to payments_service`,
    'guards',
    /table event.*found select insert update/,
  ),
  way(
    'the right to take accounts away',
    `grant delete on account to payments_service`,
    'guards',
    /table account.*delete/,
  ),
  way(
    'the right to empty a table, to everybody',
    `grant truncate on transaction to public`,
    'guards',
    /table transaction:.*truncate/,
  ),
  way(
    'the right to one column',
    `grant update (note) on checkpoint to payments_service`,
    'guards',
    /table checkpoint.*update\(note\)/,
  ),
  way(
    'a view in place of a table',
    [
      'alter table verification_run rename to verification_runs',
      'create view verification_run as select * from verification_runs',
    ],
    'guards',
    /table verification_run: expected a table of public, found no table of public/,
  ),
  way(
    'a right taken away',
    `revoke insert on tree_node from payments_service`,
    'guards',
    /table tree_node.*found select$/,
  ),
  way(
    'the key of idempotency marks, gone',
    'alter table idempotency drop constraint idempotency_pkey',
    'guards',
    /table idempotency: expected unique \(partition, id\), found nothing/,
  ),
  way(
    'the index of EndToEndIds, no longer unique',
    [
      'drop index transaction_by_end_to_end_id',
      `create index transaction_by_end_to_end_id on transaction (partition, end_to_end_id, type)
       where end_to_end_id is not null`,
    ],
    'guards',
    /table transaction: expected unique \(partition, end_to_end_id, type\).*found nothing/,
  ),
  way(
    'the index of recoveries under way, of fewer of them',
    [
      'drop index recovery_under_way',
      `create unique index recovery_under_way on recovery (partition, transaction_id) where status = 'Requested'`,
    ],
    'guards',
    /table recovery: expected nothing, found unique .*WHERE \(status = 'Requested'::text\)/,
  ),
  way(
    'the key of holds, out of force',
    `update pg_index set indisvalid = false where indexrelid = 'hold_pkey'::regclass`,
    'guards',
    /table hold: expected unique \(partition, id\), found unique \(partition, id\), not in force/,
  ),
  way(
    'the check of balances, gone',
    'alter table account drop constraint account_is_not_overdrawn',
    'guards',
    /table account: expected CHECK .*available >= 0.*found nothing/,
  ),
  way(
    'the check of returns, which agrees with everything',
    [
      'alter table infraction drop constraint infraction_returns_what_was_agreed',
      'alter table infraction add constraint infraction_returns_what_was_agreed check (true)',
    ],
    'guards',
    /table infraction: expected CHECK .*agreed.*found nothing/,
  ),
  way(
    'a check more',
    `alter table work add check (kind <> 'med-sweep') not valid`,
    'guards',
    /table work: expected nothing, found CHECK .*NOT VALID/,
  ),
  way(
    'a catalogue that comes before that of PostgreSQL',
    [
      'create schema before',
      `create function before.same(uuid, text) returns boolean language sql immutable as 'select true'`,
      `create function before.told(json) returns text language sql immutable as 'select json_out($1)::text'`,
      'create view before.pg_rules as select * from pg_catalog.pg_rules where false',
      'grant usage on schema before to public',
      'grant select on before.pg_rules to public',
      `do $$ begin
         execute format('alter database %I set search_path = before, pg_catalog, public', current_database());
       end $$`,
      'create rule unseen as on delete to recovery do instead nothing',
    ],
    'guards',
    /table recovery: expected nothing, found rule unseen/,
  ),
  way(
    'a function that PostgreSQL prefers to its own, which could tell other triggers than there are',
    `create function format(text, name, name, smallint, "char", name, text, text) returns text language sql
     as 'select pg_catalog.format($1, $2, $3, $4, $5, $6, $7, $8)'`,
    'guards',
    /schema public: expected nothing, found function format/,
  ),
  way(
    'an operator more',
    'create operator = (leftarg = uuid, rightarg = text, function = before.same)',
    'guards',
    /schema public: expected nothing, found operator =/,
  ),
  way(
    'a cast of what was hashed',
    'create cast (json as text) with function before.told(json) as assignment',
    'guards',
    /cast: expected nothing, found json as text/,
  ),
  way(
    'an index that calls a function at each write',
    'create index account_told on account (before.told(filling))',
    'guards',
    /table account: expected nothing, found calls function told/,
  ),
  way(
    'a column that calls a function at each write',
    'alter table infraction add column told text generated always as (before.told(details)) stored',
    'guards',
    /table infraction: expected nothing, found calls function told/,
  ),
  way(
    'a column of a type with a check of its own',
    [
      `create domain before.reason as text check (value <> 'None')`,
      'alter table reconciliation_case alter column note type before.reason',
    ],
    'guards',
    /table reconciliation_case: expected nothing, found column note of another type/,
  ),
  way(
    'a table whose rows are read with those of another, outside its keys',
    'create table idempotency_more () inherits (idempotency)',
    'guards',
    /table idempotency: expected nothing, found inherited by idempotency_more/,
  ),
  way(
    'a table that a crash empties',
    'alter table payout_file_input set unlogged',
    'guards',
    /table payout_file_input: expected nothing, found not logged/,
  ),
  way(
    'a default that changes the session at each insert',
    `alter table webhook_delivery add column told text default set_config('search_path', 'before, public', false)`,
    'guards',
    /table webhook_delivery: expected nothing, found told DEFAULT set_config/,
  ),
  way(
    'a default, another',
    'alter table work alter column attempts set default 9',
    'guards',
    /table work: expected attempts DEFAULT 0, found nothing/,
  ),
  way(
    'a function by which the service may do what its owner may',
    `create function before.done(text) returns void language plpgsql security definer as 'begin execute $1; end'`,
    'guards',
    /schema before: expected nothing, found function done, which the service may call with its owner's rights/,
  ),
  way(
    'a view through which the service may delete what it may not',
    [
      'create view before.marks as select * from public.idempotency',
      'grant delete on before.marks to payments_service',
    ],
    'guards',
    /schema before: expected nothing, found view marks, through which the service may write/,
  ),
  way(
    'the right to make schemas',
    `do $$ begin execute format('grant create on database %I to payments_service', current_database()); end $$`,
    'guards',
    /role payments_service: expected nothing, found creates schemas/,
  ),
  way(
    'the right to make functions of its own',
    'grant create on schema public to payments_service',
    'guards',
    /role payments_service: expected nothing, found creates in schema public/,
  ),
  way(
    'the right to set which account number comes next',
    'grant update on sequence account_number to payments_service',
    'guards',
    /role payments_service: expected nothing, found sets account numbers/,
  ),
  way(
    'the function that refuses, given to the service',
    'alter function refuse_change() owner to payments_service',
    'guards',
    /role payments_service: expected nothing, found owns what migrations made/,
  ),
  way(
    'all triggers, passed over by each session',
    setForDatabase('session_replication_role', 'replica'),
    'guards',
    /the database: expected none, found session_replication_role=replica/,
  ),
  way(
    'commits that do not wait for the disk',
    setForDatabase('synchronous_commit', 'off'),
    'guards',
    /the database: expected none, found synchronous_commit=off/,
  ),
];

/** Of others, beside the tables of the service. */
export const OBJECTS: readonly Tampering[] = [
  way(
    'a column that may be null',
    'alter table hold alter column cause drop not null',
    'guards',
    /table hold: expected cause NOT NULL, found nothing/,
  ),
  way(
    'a table whose rows are in one of others',
    [
      'create schema before',
      'grant usage on schema before to public',
      'alter table pix_sweep set schema before',
      `create table pix_sweep (like before.pix_sweep including all) partition by list (partition)`,
      'alter table pix_sweep attach partition before.pix_sweep default',
      'grant select, insert, update, delete on pix_sweep to payments_service',
    ],
    'guards',
    /table pix_sweep: expected nothing, found inherited by before.pix_sweep/,
  ),
  way(
    'a table of others whose rows, and triggers, follow those of the service',
    `create table before.noted (
       partition int, id uuid, foreign key (partition, id) references work on delete cascade)`,
    'guards',
    /table work: expected nothing, found referred to by before.noted/,
  ),
  way(
    'an index that compares by a function of others',
    [...comparison('compared'), 'create index recovery_compared on recovery (id before.compared)'],
    'guards',
    /table recovery: expected nothing, found calls operator class compared/,
  ),
  way(
    'a view of which the service may write one column',
    [
      'create view before.names as select * from public.auditor',
      'grant update (name) on before.names to payments_service',
    ],
    'guards',
    /schema before: expected nothing, found view names, through which the service may write/,
  ),
  way(
    'a trigger that does with its owner’s rights what the service writes, and nobody may call',
    [
      'create table before.asked (what text)',
      'grant insert on before.asked to payments_service',
      `create function before.does() returns trigger language plpgsql security definer
       as 'begin execute new.what; return new; end'`,
      'revoke execute on function before.does() from public',
      'create trigger does before insert on before.asked for each row execute function before.does()',
    ],
    'guards',
    /table before.asked: expected nothing, found trigger does, which does with its owner's rights/,
  ),
  way(
    'a rule that does so',
    [
      'create table before.listed (position bigint)',
      'grant insert on before.listed to payments_service',
      'create rule cuts as on insert to before.listed do also delete from event e where e.position = new.position',
    ],
    'guards',
    /table before.listed: expected nothing, found rule cuts, which does with its owner's rights/,
  ),
  way(
    'a function by which the service may do what its owner may, added to an extension',
    [
      `create function before.acts(text) returns void language plpgsql security definer as 'begin execute $1; end'`,
      'alter extension plpgsql add function before.acts(text)',
    ],
    'guards',
    /schema before: expected nothing, found function acts, which the service may call with its owner's rights/,
  ),
  way(
    'a function that PostgreSQL prefers to its own, added to an extension',
    [
      `create function public.lower(varchar) returns text language sql as 'select pg_catalog.lower($1::text)'`,
      'alter extension plpgsql add function public.lower(varchar)',
    ],
    'guards',
    /schema public: expected nothing, found function lower/,
  ),
  way(
    'a view through which the service may write, added to an extension',
    [
      'create view before.heads as select * from public.log_head',
      'grant delete on before.heads to payments_service',
      'alter extension plpgsql add view before.heads',
    ],
    'guards',
    /schema before: expected nothing, found view heads, through which the service may write/,
  ),
  way(
    'an operator and an index of others, added to an extension',
    [
      `create function before.alike(uuid, uuid) returns boolean language sql immutable as 'select $1 = $2'`,
      'create operator public.= (leftarg = uuid, rightarg = uuid, function = before.alike)',
      'alter extension plpgsql add function before.alike(uuid, uuid)',
      'alter extension plpgsql add operator public.=(uuid, uuid)',
      ...comparison('ranked'),
      'alter extension plpgsql add function before.ranked(uuid, uuid)',
      'alter extension plpgsql add operator class before.ranked using btree',
      'create index schedule_ranked on schedule (id before.ranked)',
    ],
    'guards',
    /table schedule: expected nothing, found calls operator class ranked/,
  ),
  way(
    'commits that do not wait for the disk of a standby',
    `do $$ begin
       execute format('alter role payments_service in database %I set synchronous_commit = local', current_database());
     end $$`,
    'guards',
    /role payments_service: expected none, found synchronous_commit=local/,
  ),
  way(
    'the right to a function of the server that is not everybody’s',
    'grant execute on function pg_read_file(text) to payments_service',
    'guards',
    /role payments_service: expected nothing, found was granted function pg_read_file\(text\)/,
  ),
];

const recreated = (what: string, events: string, when: string, message: RegExp) =>
  way(
    `the trigger that refuses changes, ${what}`,
    [
      'drop trigger event_is_append_only on event',
      `create trigger event_is_append_only before ${events} on event for each row ${when} execute function refuse_change()`,
    ],
    'guards',
    message,
  );

/** There is one such trigger: each is done to another copy. */
export const UNDER_CONDITION = recreated(
  'under a condition',
  'update or delete',
  'when (false)',
  /event_is_append_only.*under a condition/,
);
export const OF_ONE_COLUMN = recreated(
  'of one column',
  'delete or update of leaf',
  '',
  /event_is_append_only.*of some columns/,
);

/** What nothing would stop the log from being changed by. */
export const AGREEING = way(
  'the function that refuses, made to agree',
  `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
  'guards',
  /^function/,
);
