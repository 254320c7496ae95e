import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LoadedRows } from '../event-store/index.js';
import { partitionOf } from '../event-store/index.js';
import { AppError } from '../platform/errors/index.js';
import { RequestCashOut } from '../pix/index.js';
import { PayoutFileIsCancelled } from './domain/errors.js';
import type { PayoutFile } from './domain/payout-file.js';
import type { RanLines } from './domain/payout-file.decider.js';
import { payoutFileProjection } from './payout-file.projection.js';
import type { CheckedLine } from './reading/checked-lines.js';
import { amountOf } from './storage/stored-line.js';

/** Lines that are decided at a time: others' commands wait behind no more. */
const AT_ONCE = 64;

type Outcome = { readonly transaction: string } | { readonly error: object } | 'cancelled';

/** Requests the payouts of lines, as the single route does. */
@Injectable()
export class LineRequests {
  constructor(private readonly commands: CommandBus) {}

  /** @throws when the outcome of a line is not known, or it could not be asked for: then all of them are done again */
  async run(file: PayoutFile, chunk: number, lines: readonly CheckedLine[]): Promise<RanLines> {
    const outcomes = new Array<Outcome>(lines.length);
    let next = 0;
    const work = async () => {
      for (let i = next++; i < lines.length; i = next++) outcomes[i] = await this.#request(file, lines[i]!);
    };
    const settled = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
    return { chunk, ...sorted(lines, outcomes) };
  }

  /** Under a key that no partner can send: done again, it gives its first outcome. */
  async #request(file: PayoutFile, { line, cashOut }: CheckedLine): Promise<Outcome> {
    const { id, partnerUid, accountUid, accessKey } = file;
    const caller = { accessKey, accountUid, partnerUid, partition: partitionOf(id)!, permissions: [] };
    const name = `payout-file ${id} ${line}`;
    try {
      const { transaction } = await this.commands.execute(
        new RequestCashOut(caller, cashOut, id, { key: name, request: name }, fileLine(id)),
      );
      return { transaction: transaction.id };
    } catch (error) {
      if (error instanceof PayoutFileIsCancelled) return 'cancelled';
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { error: (error.body() as { error: object }).error };
    }
  }
}

function fileLine(file: string) {
  return {
    file,
    reads: { payoutFiles: [file] },
    assertRuns: (rows: LoadedRows) => {
      if (rows.of(payoutFileProjection).get(file)?.state !== 'Running') throw new PayoutFileIsCancelled();
    },
  };
}

function sorted(lines: readonly CheckedLine[], outcomes: readonly Outcome[]): Omit<RanLines, 'chunk'> {
  const all = lines.map((line, i) => ({ line, amount: amountOf(line), outcome: outcomes[i]! }));
  return {
    registered: all.flatMap(({ line, amount, outcome }) =>
      typeof outcome === 'object' && 'transaction' in outcome
        ? [{ line: line.line, transaction: outcome.transaction, amount }]
        : [],
    ),
    refused: all.flatMap(({ line, amount, outcome }) =>
      typeof outcome === 'object' && 'error' in outcome
        ? [{ line: line.line, orderId: line.cashOut.orderId, amount, error: outcome.error }]
        : [],
    ),
  };
}
