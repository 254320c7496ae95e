import { Injectable } from '@nestjs/common';
import { CommandBus, type CommandResult } from '@nestjs/cqrs';
import { type DataOf, KeyReused, type LoadedRows, partitionOf } from '../event-store/index.js';
import { type LinesOf, RequestCashOuts } from '../pix/index.js';
import { AppError } from '../platform/errors/index.js';
import { LinesAreRecorded, PayoutFileIsCancelled } from './domain/errors.js';
import type { RanLines } from './domain/payout-file.decider.js';
import type { PayoutFile } from './domain/payout-file.js';
import type { PayoutFileAccepted } from './domain/payout-file.events.js';
import { payoutFileProjection } from './payout-file.projection.js';
import { amountOf, type CheckedLine } from './reading/checked-lines.js';

/** A file, and whose it is, by its first event: a row that is put back tells nothing of what it was meanwhile. */
export type FileOwner = Pick<
  DataOf<typeof PayoutFileAccepted>,
  'id' | 'partnerUid' | 'accountUid' | 'accessKey' | 'linesNamed'
>;

/** And whether it runs, by its events. */
type RequestedFile = FileOwner & Pick<PayoutFile, 'state'>;

/** Requests the payouts of lines, each decided as the single route does it. */
@Injectable()
export class LineRequests {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Lines of chunks that follow each other, in their order. Each line has a key that no partner can send: done again,
   * it gives its first outcome.
   * @param file in whose name they are requested
   * @param first number of the first chunk
   * @throws when the outcome of a line is not known, or it could not be asked for: then all of them are done again
   */
  async run(file: RequestedFile, first: number, chunks: readonly (readonly CheckedLine[])[]): Promise<RanLines[]> {
    const outcomes = await this.#request(file, first, chunks.flat());
    let done = 0;
    return chunks.map((lines, i) => ranLines(first + i, lines, outcomes.slice(done, (done += lines.length))));
  }

  #request(file: RequestedFile, first: number, lines: readonly CheckedLine[]): Promise<readonly Result[]> {
    const { id, partnerUid, accountUid, accessKey, linesNamed = id } = file;
    const caller = { accessKey, accountUid, partnerUid, partition: partitionOf(id)!, permissions: [] };
    const cashOuts = lines.map(({ line, cashOut }) => {
      const name = `payout-file ${linesNamed} ${line}`;
      return { cashOut, idempotency: { key: name, request: name } };
    });
    return this.commands.execute(new RequestCashOuts(caller, cashOuts, id, undefined, undefined, linesOf(file, first)));
  }
}

type Result = CommandResult<RequestCashOuts>[number];

function ranLines(chunk: number, lines: readonly CheckedLine[], outcomes: readonly Result[]): RanLines {
  const registered: RanLines['registered'][number][] = [];
  const refused: RanLines['refused'][number][] = [];
  for (const [i, line] of lines.entries()) {
    const outcome = outcomes[i]!;
    const amount = amountOf(line);
    if (!(outcome instanceof AppError)) {
      registered.push({ line: line.line, transaction: outcome.transaction.id, amount });
    } else if (!(outcome instanceof PayoutFileIsCancelled)) {
      // Nobody else can use a line's key: its row was made by somebody, and the line is not refused for it.
      if (outcome.status >= 500 || outcome instanceof KeyReused) throw outcome;
      const { error } = outcome.body() as { error: object };
      refused.push({ line: line.line, orderId: line.cashOut.orderId, amount, error });
    }
  }
  return { chunk, registered, refused };
}

/** @param first number of the first chunk that they are of */
function linesOf({ id, state }: RequestedFile, first: number): LinesOf {
  return {
    file: id,
    reads: { payoutFiles: [id] },
    // Its row tells what came since. Of a file that was cancelled by then it may tell what it likes.
    assertRuns: (rows: LoadedRows) => {
      const row = rows.of(payoutFileProjection).get(id);
      if (state !== 'Running' || row?.state !== 'Running') throw new PayoutFileIsCancelled();
      // Another process has taken the file over, and was refused what this request may be granted now.
      if (row.run > first) throw new LinesAreRecorded();
    },
  };
}
