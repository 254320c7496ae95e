import type { StatementResult } from '../../platform/database/index.js';
import type { BatchRows } from './batch.js';
import { commandsOf, type ExistingEvents, type Submission } from './submission.js';
import { findOwnEvents } from './batch-statements.js';
import { loadSubjectKeys, parseSubjectKey } from '../subjects/subject-keys.js';
import { idempotencyProjection } from './idempotency.js';
import { type InlineProjection, LoadedRows } from '../projections/inline-projection.js';
import type { Statement } from '../log/statement.js';
import type { RowsByProjection } from './row-cache.js';

interface Load {
  readonly projection: InlineProjection;
  readonly keys: readonly string[];
}

/**
 * The reads of a batch before it is decided: rows of projections, keys of the data subjects that it names, and events
 * that earlier attempts of its commands may have appended.
 */
export class BatchReads {
  readonly statements: readonly Statement[];
  readonly #loads: readonly Load[];
  readonly #asksKeys: boolean;

  private constructor(
    partition: number,
    private readonly projections: readonly InlineProjection[],
    private readonly pending: readonly Submission[],
    keysOf: (projection: InlineProjection) => Iterable<string>,
  ) {
    this.#loads = projections
      .map((projection) => ({ projection, keys: [...keysOf(projection)] }))
      .filter(({ keys }) => keys.length > 0);
    const lookups = lookupsOf(pending);
    this.statements = [
      ...this.#loads.map(({ projection, keys }) => projection.load(partition, keys)),
      ...(lookups.length > 0 ? [loadSubjectKeys(partition, lookups)] : []),
      ...ownEventsOf(partition, pending),
    ];
    this.#asksKeys = lookups.length > 0;
  }

  /** Everything that the commands read, their idempotency keys included. */
  static ofAll(
    partition: number,
    projections: readonly InlineProjection[],
    pending: readonly Submission[],
  ): BatchReads {
    const commands = commandsOf(pending);
    return new BatchReads(partition, projections, commands, ({ name }) => {
      const marks = name === idempotencyProjection.name ? marksOf(commands) : [];
      return new Set([...commands.flatMap(({ append }) => append.reads[name] ?? []), ...marks]);
    });
  }

  /** @param missing keys of rows, by projection */
  static ofMissing(
    partition: number,
    projections: readonly InlineProjection[],
    pending: readonly Submission[],
    missing: ReadonlyMap<string, ReadonlySet<string>>,
  ): BatchReads {
    return new BatchReads(partition, projections, commandsOf(pending), ({ name }) => missing.get(name) ?? []);
  }

  /** @returns what the statements found */
  parse(results: readonly Pick<StatementResult, 'rows'>[]): BatchRows {
    const rows = new LoadedRows(this.projections);
    this.#loads.forEach(({ projection }, i) => {
      const loaded = rows.of(projection);
      for (const raw of results[i]!.rows) {
        const row = projection.parse(raw);
        loaded.set(projection.keyOf(row), row);
      }
    });
    const rest = results.slice(this.#loads.length);
    const keys = this.#asksKeys ? rest.shift()!.rows.map(parseSubjectKey) : [];
    return {
      rows,
      subjectKeys: new Map(keys.map((key) => [key.lookup.toString('hex'), key])),
      existing: this.#existing(rest[0]?.rows ?? []),
    };
  }

  #existing(found: StatementResult['rows']): ReadonlyMap<string, ExistingEvents> {
    const positions = new Map(found.map((row) => [row.event_id as string, BigInt(row.position as string)]));
    return new Map(
      this.pending.flatMap(({ eventIds: [first, ...others] }) => {
        const position = first === undefined ? undefined : positions.get(first);
        if (position === undefined) return [];
        return [[first!, { position, events: 1 + others.filter((id) => positions.has(id)).length }]];
      }),
    );
  }

  /** The rows that these statements asked for. */
  rowsOf(rows: LoadedRows): RowsByProjection {
    return this.#loads.map(({ projection }) => [projection, rows.of(projection)] as const);
  }
}

function marksOf(commands: readonly Submission[]): string[] {
  return commands.flatMap(({ mark, requestMark }) => [mark, requestMark].flatMap((one) => one?.id ?? []));
}

/** Look-ups of the data subjects that the commands name, each once. */
function lookupsOf(pending: readonly Submission[]): Buffer[] {
  const lookups = new Map<string, Buffer>();
  // Commands of one request share them.
  const named = new Set(pending.flatMap(({ subjects }) => [...subjects.values()]));
  for (const { lookup } of named) lookups.set(lookup.toString('hex'), lookup);
  return [...lookups.values()];
}

function ownEventsOf(partition: number, pending: readonly Submission[]): Statement[] {
  const attempted = pending.filter(({ attemptedAt }) => attemptedAt !== undefined);
  if (attempted.length === 0) return [];
  const since = attempted.reduce(
    (least, { attemptedAt }) => (attemptedAt! < least ? attemptedAt! : least),
    attempted[0]!.attemptedAt!,
  );
  return [
    findOwnEvents(
      partition,
      since,
      attempted.flatMap(({ eventIds }) => eventIds),
    ),
  ];
}
