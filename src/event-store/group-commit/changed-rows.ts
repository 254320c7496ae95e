import type { RecordedEvent } from '../log/event.js';
import type { InlineProjection, LoadedRows, RowChanges } from '../projections/inline-projection.js';
import type { UndoLog } from './undo-log.js';

/** A row as a command that may still be refused leaves it. */
export interface RowChange {
  readonly projection: InlineProjection;
  readonly key: string;
  readonly row: unknown;
  readonly isNew: boolean;
}

/** By projection and key. Of a row only its last change: a command's events may change one thousands of times. */
export type ChangesOfCommand = Map<string, RowChange>;

/** Whether a command named a row among those that it reads or creates. */
export type MayChange = (projection: string, key: string) => boolean | undefined;

/** Rows of a projection by key: those that the batch updated, and those that it inserted. */
interface Changed {
  readonly inserted: Map<string, unknown>;
  readonly updated: Map<string, unknown>;
}

/** The rows of inline projections that a batch changes, as its events make them. */
export class ChangedRows {
  readonly #changed = new Map<InlineProjection, Changed>();

  /**
   * @param rows those that were read; what is kept is set there too
   * @param undo of the parts of a command that consists of them
   */
  constructor(
    private readonly projections: readonly InlineProjection[],
    private readonly rows: LoadedRows,
    private readonly undo: UndoLog,
  ) {}

  /**
   * @param changes of the command's earlier events; this event's take their place
   * @throws TypeError where its command did not name a row that it changes
   */
  evolve(event: RecordedEvent, changes: ChangesOfCommand, mayChange: MayChange): void {
    for (const projection of this.projections) {
      for (const key of projection.keysOf(event)) {
        if (!mayChange(projection.name, key)) {
          throw new TypeError(`${event.type} changes a row of ${projection.name} that its command did not read`);
        }
        const place = `${projection.name}/${key}`;
        const earlier = changes.get(place);
        const row = earlier ? earlier.row : this.rows.of(projection).get(key);
        const isNew = earlier
          ? earlier.isNew
          : row === undefined || this.#changed.get(projection)?.inserted.has(key) === true;
        changes.set(place, { projection, key, row: projection.evolve(row, event, key), isNew });
      }
    }
  }

  /** The command is appended: those behind it are decided on the row. */
  keep({ projection, key, row, isNew }: RowChange): void {
    let changed = this.#changed.get(projection);
    if (!changed) this.#changed.set(projection, (changed = { inserted: new Map(), updated: new Map() }));
    this.undo.set(this.rows.of(projection), key, row);
    this.undo.set(changed[isNew ? 'inserted' : 'updated'], key, row);
  }

  /** By key, of every projection that has any. */
  *all(): Generator<readonly [InlineProjection, ReadonlyMap<string, unknown>]> {
    for (const [projection, { inserted, updated }] of this.#changed) {
      if (inserted.size > 0) yield [projection, inserted];
      if (updated.size > 0) yield [projection, updated];
    }
  }

  /** @returns `undefined` where there are none */
  of<Row>(projection: InlineProjection<Row>): RowChanges<Row> | undefined {
    const changed = this.#changed.get(projection);
    return (
      changed && { inserted: [...changed.inserted.values()] as Row[], updated: [...changed.updated.values()] as Row[] }
    );
  }
}
