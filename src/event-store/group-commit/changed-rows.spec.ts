import { expect, it } from '@jest/globals';
import type { RecordedEvent } from '../log/event.js';
import { type InlineProjection, LoadedRows } from '../projections/inline-projection.js';
import { ChangedRows, type ChangesOfCommand } from './changed-rows.js';
import { UndoLog } from './undo-log.js';

/** A credit may fill thousands of holds: each version of the account, with all that wait, would not fit into memory. */
it('keeps of a row only its last change by a command', () => {
  const counting = (name: string, keysOf: InlineProjection<number>['keysOf']) =>
    ({ name, keysOf, evolve: (row: number | undefined) => (row ?? 0) + 1 }) as unknown as InlineProjection<number>;
  const accounts = counting('accounts', () => ['one']);
  const holds = counting('holds', ({ stream }) => [stream]);
  const rows = new LoadedRows([accounts, holds]);
  rows.of(accounts).set('one', 0);
  const changed = new ChangedRows([accounts, holds] as InlineProjection[], rows, new UndoLog());
  const changes: ChangesOfCommand = new Map();
  for (const stream of ['one', 'two', 'two']) changed.evolve({ stream } as RecordedEvent, changes, () => true);
  expect([...changes.values()].map(({ row, isNew }) => [row, isNew])).toEqual([
    [3, false],
    [1, true],
    [2, true],
  ]);
  for (const change of changes.values()) changed.keep(change);
  expect(changed.of(accounts)).toEqual({ inserted: [], updated: [3] });
  expect(changed.of(holds)).toEqual({ inserted: [1, 2], updated: [] });
});
