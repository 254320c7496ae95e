import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Append, Ledger, newId, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { UnmatchedReturnReceived } from '../../domain/events/payment.events.js';
import { receiveReturn } from '../../domain/incoming-return.decider.js';
import { PixIdentifiers } from '../../identifiers.js';
import { PixMetrics } from '../../pix-metrics.js';
import { PIX_RAIL, type PixRail, railActor } from '../../rails/pix-rail.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import { appendTo } from '../../transactions/append-to.js';
import { ReceiveReturn } from './receive-return.command.js';

/** Each return once, by its identifier. */
@CommandHandler(ReceiveReturn)
export class ReceiveReturnHandler implements ICommandHandler<ReceiveReturn> {
  readonly #logger = new Logger(ReceiveReturnHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly identifiers: PixIdentifiers,
    private readonly metrics: PixMetrics,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute(command: ReceiveReturn): Promise<NotificationResult> {
    const { events, replayed } = await this.ledger.execute(this.#append(command));
    const unmatched = events.some((event) => UnmatchedReturnReceived.is(event));
    if (unmatched && !replayed) {
      this.metrics.unmatched('Return');
      const { returnId, endToEndId } = command.returned;
      this.#logger.error({ returnId, endToEndId }, 'an unmatched return: no cash-out of ours has its identifier');
    }
    if (unmatched) return 'Unmatched';
    return replayed ? 'Ignored' : 'Applied';
  }

  #append({ returned, cashOut }: ReceiveReturn): Append {
    const partition = cashOut?.partition ?? REGISTRY_PARTITION;
    const incoming = { ...returned, id: newId(partition), receiptToken: this.identifiers.receiptToken() };
    const idempotency = { scope: 'rail-return', key: returned.returnId, request: returned.returnId };
    const actor = railActor(this.rail);
    if (cashOut) {
      return appendTo(cashOut, {
        actor,
        creates: [incoming.id],
        idempotency,
        decide: ({ transaction, ...accounts }) => receiveReturn(transaction, accounts, incoming),
      });
    }
    return {
      partition,
      reads: {},
      decide: () => receiveReturn(undefined, undefined, incoming),
      metadata: { actor, correlation: incoming.id },
      idempotency,
    };
  }
}
