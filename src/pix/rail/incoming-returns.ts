import { Inject, Injectable, Logger } from '@nestjs/common';
import { Ledger, newId, type Outcome, REGISTRY_PARTITION } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { UnmatchedReturnReceived } from '../domain/events/payment.events.js';
import { receiveReturn } from '../domain/refund.decider.js';
import { PixIdentifiers } from '../identifiers.js';
import { PixMetrics } from '../pix-metrics.js';
import type { ReturnedMoney } from '../rails/pix-rail.js';
import type { NotificationResult } from '../rails/rail-notifications.js';
import { CashOutEndings } from './cash-out-endings.js';
import { RailCommands } from './rail-commands.js';
import { RailTransactions } from './rail-transactions.js';

/** Takes money in that the payee's bank sent back after a completed cash-out. Each return once, by its identifier. */
@Injectable()
export class IncomingReturns {
  readonly #logger = new Logger(IncomingReturns.name);

  constructor(
    private readonly transactions: RailTransactions,
    private readonly endings: CashOutEndings,
    private readonly commands: RailCommands,
    private readonly ledger: Ledger,
    private readonly identifiers: PixIdentifiers,
    private readonly metrics: PixMetrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async receive(returned: ReturnedMoney): Promise<NotificationResult> {
    const parent = await this.transactions.byPaymentId(returned.paymentId ?? returned.endToEndId);
    // Money comes back only of what arrived: the news of the arrival is late, or lost.
    if (parent?.transaction.state === 'Registered') {
      await this.endings.settle(parent, {
        status: 'Settled',
        at: returned.at,
        endToEndId: returned.endToEndId,
      });
    }
    const partition = parent?.partition ?? REGISTRY_PARTITION;
    const incoming = { ...returned, id: newId(partition), receiptToken: this.identifiers.receiptToken() };
    const idempotency = { scope: 'rail-return', key: returned.returnId, request: returned.returnId };
    const actor = `rail:${this.config.pixRail}`;
    const outcome: Outcome = parent
      ? await this.commands.on(parent, {
          actor,
          creates: [incoming.id],
          idempotency,
          decide: ({ transaction, ...accounts }) => receiveReturn(transaction, accounts, incoming),
        })
      : await this.ledger.execute({
          partition,
          reads: {},
          decide: () => receiveReturn(undefined, undefined, incoming),
          metadata: { actor, correlation: incoming.id },
          idempotency,
        });
    const unmatched = outcome.events.some((event) => UnmatchedReturnReceived.is(event));
    if (unmatched && !outcome.replayed) {
      this.metrics.unmatched('Return');
      const { returnId, endToEndId } = returned;
      this.#logger.error({ returnId, endToEndId }, 'money was sent back that belongs to nothing');
    }
    if (unmatched) return 'Unmatched';
    return outcome.replayed ? 'Ignored' : 'Applied';
  }
}
