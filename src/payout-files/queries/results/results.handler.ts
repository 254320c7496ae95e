import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Transaction, TransactionRows } from '../../../accounts/index.js';
import { EventLog, type EventOf, partitionOf } from '../../../event-store/index.js';
import { TooManyRequests } from '../../../platform/errors/index.js';
import { Download, Places } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { streamOfFile } from '../../domain/payout-file.js';
import { PayoutFileLinesRun } from '../../domain/payout-file.events.js';
import { PayoutFileRows } from '../../payout-file-rows.js';
import { GetPayoutFileResults, type LineResult, type PayoutFileResults } from './results.query.js';

/** Events of lines that are read at a time: a thousand lines. */
const PAGE = 5;
/** Downloads of a process at a time: each reads up to a hundred thousand transactions. */
const MOST = 4;
const RETRY_AFTER_S = 5;

@QueryHandler(GetPayoutFileResults)
export class GetPayoutFileResultsHandler implements IQueryHandler<GetPayoutFileResults> {
  readonly #places = new Places<Download>(MOST, {
    second: () => new TooManyRequests('Results of yours are being downloaded already.', RETRY_AFTER_S),
    full: () => new TooManyRequests('Too many results are being downloaded.', RETRY_AFTER_S),
  });

  constructor(
    private readonly rows: PayoutFileRows,
    private readonly log: EventLog,
    private readonly transactions: TransactionRows,
  ) {}

  async execute({ accountUid, id }: GetPayoutFileResults): Promise<PayoutFileResults> {
    const { format, partnerUid } = await this.rows.own(accountUid, id);
    const download = this.#places.take(partnerUid, (release) => new Download(release));
    return { format, lines: this.#lines(id), download };
  }

  async *#lines(id: string): AsyncGenerator<LineResult, void, undefined> {
    const partition = partitionOf(id)!;
    for (let after = 1; ;) {
      const events = await this.log.readStream(partition, streamOfFile(id), after, PAGE);
      for (const event of events) if (PayoutFileLinesRun.is(event)) yield* await this.#linesOf(partition, event);
      const last = events.at(-1);
      if (!last || events.length < PAGE) return;
      after = last.version;
    }
  }

  async #linesOf(partition: number, { data }: EventOf<typeof PayoutFileLinesRun>): Promise<LineResult[]> {
    const found = await this.transactions.some(partition, data.transactions);
    const byId = new Map(found.map((transaction) => [transaction.id, transaction]));
    const registered = data.lines.map((line, i) => registeredLine(line, byId.get(data.transactions[i]!)!));
    const refused = data.refused.map((one): LineResult => ({
      line: one.line,
      orderId: one.orderId,
      value: formatAmount(BigInt(one.amount)),
      state: 'Error',
      transactionId: null,
      endToEndId: null,
      error: data.errors[one.error] as Record<string, unknown>,
    }));
    return [...registered, ...refused].sort((a, b) => a.line - b.line);
  }
}

function registeredLine(line: number, transaction: Transaction): LineResult {
  const { id, state, orderId, amount, endToEndId, errorReason } = transaction;
  return {
    line,
    orderId: orderId!,
    value: formatAmount(amount),
    state,
    transactionId: id,
    endToEndId,
    error: errorReason === null ? null : { reason: errorReason },
  };
}
