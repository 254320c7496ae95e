import { type Placement, placements } from '../../../migrations/placements.js';
import { SERVICE_ROLE } from '../database/connection-settings.js';
import { LAYOUT } from './layout.js';

/** The table that all others are colocated with: every statement of the write path touches its partition's row. */
export const FIRST = 'public.log_head';

/** How far a database is distributed. */
export interface Standing {
  /** Citus's kind of each table; a table missing here is a local one. */
  readonly placed: ReadonlyMap<string, 'distributed' | 'reference'>;
  readonly roleMayLogIn: boolean;
  /** Whether the role's sessions on the nodes have timeouts. */
  readonly limited: boolean;
}

/** A plain database after migration. */
export const FRESH: Standing = { placed: new Map(), roleMayLogIn: false, limited: false };

/** A table's placement differs from its declaration. */
export class PlacedOtherwise extends Error {
  override readonly name = 'PlacedOtherwise';
}

/**
 * The statements that place every table as declared, in one transaction; none for tables already in place.
 * @throws PlacedOtherwise
 */
export function distributionPlan({ placed, roleMayLogIn, limited }: Standing): string[] {
  const missing = Object.entries(placements).filter(([table, placement]) =>
    isMissing(table, placement.kind, placed.get(table)),
  );
  const tables = (kind: Placement['kind']) => missing.filter(([, one]) => one.kind === kind).map(([table]) => table);
  const steps = [
    ...(roleMayLogIn ? [] : [LET_ROLE_IN]),
    ...(limited ? [] : LIMITS.map(limitStatement)),
    ...tables('reference').map((table) => `select create_reference_table('${table}')`),
    ...tables('distributed').map(
      (table) =>
        `select create_distributed_table('${table}', 'partition', colocate_with => '${table === FIRST ? LAYOUT : FIRST}')`,
    ),
    ...(placed.has(FIRST) ? [] : [`drop table ${LAYOUT}`]),
  ];
  return steps.length === 0 ? [] : [...PREFACE, ...steps];
}

/**
 * First in the transaction that moves tables with rows. Sessions of the service end while they cannot write: new
 * ones load the extension.
 */
export const STOP_WRITES = [
  `set local lock_timeout to '5s'`,
  `lock table ${tablesOf('distributed', 'reference').join(', ')} in exclusive mode`,
  'set local lock_timeout to 0',
  `select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and application_name like 'payments %' and pid <> pg_backend_pid()`,
];

function tablesOf(...kinds: Placement['kind'][]): string[] {
  return Object.entries(placements).flatMap(([table, { kind }]) => (kinds.includes(kind) ? [table] : []));
}

const PREFACE = [
  // One connection to each node, so that later statements see what earlier ones did.
  `set local citus.multi_shard_modify_mode to 'sequential'`,
  // The triggers on `event` only refuse, so they are safe on each shard: Citus cannot know that.
  'set local citus.enable_unsafe_triggers to on',
];

/**
 * Nodes reach one another as the role that asked. It has no password: who may be it is for their pg_hba.conf. Roles
 * belong to the whole server: where another database of it does the same at this moment, theirs will do.
 */
const LET_ROLE_IN = `do $$ begin alter role ${SERVICE_ROLE} login; exception when internal_error then null; end $$`;

/**
 * What a session sets for itself holds at the coordinator only. Where that one goes silent, the session that it opened
 * on a node would hold its locks for ever. These are the longest limits that the service gives a session
 * (`src/platform/database/database.ts`). Sessions of the service at the coordinator log in as the owner, so that
 * these hold for those between nodes alone; Citus tells them to every node, and to one that joins later.
 */
export const LIMITS = ['statement_timeout=10s', 'lock_timeout=4s', 'idle_in_transaction_session_timeout=10s'] as const;

function limitStatement(limit: string): string {
  const [name, value] = limit.split('=');
  const statement = `alter role ${SERVICE_ROLE} in database %I set ${name} to '${value}'`;
  return `do $$ begin execute format($f$${statement}$f$, current_database()); end $$`;
}

function isMissing(table: string, kind: Placement['kind'], stands: Placement['kind'] | undefined): boolean {
  if (stands === undefined) return kind !== 'local';
  if (stands === kind) return false;
  throw new PlacedOtherwise(`${table} stands as a ${stands} table and should be ${kind}.`);
}
