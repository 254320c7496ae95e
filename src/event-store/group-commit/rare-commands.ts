import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from '../log/event.js';
import { WholeStreams } from '../log/whole-streams.js';
import { LogContradicted } from '../log/log-contradicted.js';
import type { InlineProjection } from '../projections/inline-projection.js';
import type { Append, Decide, Outcome } from './append.js';
import { Ledger } from './ledger.js';
import { onNewest } from './on-newest.js';

/** A row that a command reads, and the stream whose events alone make of it what the command looks at. */
export interface RowOfStream<Row = unknown> {
  readonly projection: InlineProjection<Row>;
  readonly key: string;
  readonly stream: string;
}

/**
 * Commands of which nothing may come, as a row says so already: a key that is to be disabled is. Who changed that row
 * for a moment would have them answered as done, and no event would be missing. They are rare, and their streams short:
 * so "nothing to do" is answered only where the events of the row's stream say the same.
 */
@Injectable()
export class RareCommands {
  constructor(
    private readonly ledger: Ledger,
    private readonly streams: WholeStreams,
  ) {}

  /** @throws as `Ledger.execute`; LogContradicted where something is to be done by the log, and nothing by the row */
  async execute<Row>(row: RowOfStream<Row>, append: Append): Promise<Outcome> {
    const outcome = await this.ledger.execute(append);
    if (outcome.events.length > 0) return outcome;
    const read = () => this.streams.read(append.partition, row.stream);
    // Once more in the lane, which does what another command has left to be done meanwhile.
    return onNewest({ first: await read(), read, versionOf: ({ length }) => length }, (events) =>
      this.ledger.execute({ ...append, decide: decidedAlsoOn(folded(events, row), row, append.decide) }),
    );
  }
}

function folded<Row>(events: readonly RecordedEvent[], { projection, key }: RowOfStream<Row>): Row | undefined {
  return events
    .filter((event) => projection.keysOf(event).includes(key))
    .reduce<Row | undefined>((row, event) => projection.evolve(row, event, key), undefined);
}

function decidedAlsoOn<Row>(logged: Row | undefined, { projection, key }: RowOfStream<Row>, decide: Decide): Decide {
  return (rows, at, context) => {
    const made = decide(rows, at, context);
    if (made.length > 0) return made;
    const all = rows.of(projection);
    const row = all.get(key);
    put(all, key, logged);
    try {
      if (decide(rows, at, context).length === 0) return made;
    } finally {
      put(all, key, row);
    }
    throw new LogContradicted(`A row of ${projection.name} contradicts its events`);
  };
}

function put<Row>(rows: Map<string, Row>, key: string, row: Row | undefined): void {
  if (row === undefined) rows.delete(key);
  else rows.set(key, row);
}
