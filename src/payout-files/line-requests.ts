import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type LoadedRows, partitionOf } from '../event-store/index.js';
import { type LinesOf, RequestCashOuts } from '../pix/index.js';
import { AppError } from '../platform/errors/index.js';
import { PayoutFileIsCancelled } from './domain/errors.js';
import type { RanLines } from './domain/payout-file.decider.js';
import type { PayoutFile } from './domain/payout-file.js';
import { payoutFileProjection } from './payout-file.projection.js';
import type { CheckedLine } from './reading/checked-lines.js';
import { amountOf } from './storage/stored-line.js';

/** Requests the payouts of lines, each decided as the single route does it. */
@Injectable()
export class LineRequests {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Each line has a key that no partner can send: done again, it gives its first outcome.
   * @throws when the outcome of a line is not known, or it could not be asked for: then all of them are done again
   */
  async run(file: PayoutFile, chunk: number, lines: readonly CheckedLine[]): Promise<RanLines> {
    const { id, partnerUid, accountUid, accessKey } = file;
    const caller = { accessKey, accountUid, partnerUid, partition: partitionOf(id)!, permissions: [] };
    const cashOuts = lines.map(({ line, cashOut }) => {
      const name = `payout-file ${id} ${line}`;
      return { cashOut, idempotency: { key: name, request: name } };
    });
    const command = new RequestCashOuts(caller, cashOuts, id, undefined, undefined, linesOf(id));
    const outcomes = await this.commands.execute(command);
    const registered: RanLines['registered'][number][] = [];
    const refused: RanLines['refused'][number][] = [];
    for (const [i, line] of lines.entries()) {
      const outcome = outcomes[i]!;
      const amount = amountOf(line);
      if (!(outcome instanceof AppError)) {
        registered.push({ line: line.line, transaction: outcome.transaction.id, amount });
      } else if (!(outcome instanceof PayoutFileIsCancelled)) {
        if (outcome.status >= 500) throw outcome;
        const { error } = outcome.body() as { error: object };
        refused.push({ line: line.line, orderId: line.cashOut.orderId, amount, error });
      }
    }
    return { chunk, registered, refused };
  }
}

function linesOf(file: string): LinesOf {
  return {
    file,
    reads: { payoutFiles: [file] },
    assertRuns: (rows: LoadedRows) => {
      if (rows.of(payoutFileProjection).get(file)?.state !== 'Running') throw new PayoutFileIsCancelled();
    },
  };
}
