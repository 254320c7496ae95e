import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Append, Ledger, newId, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { UnmatchedReturnReceived } from '../../domain/events/payment.events.js';
import { receiveReturn } from '../../domain/incoming-return.decider.js';
import { PixIdentifiers } from '../../identifiers.js';
import { PixMetrics } from '../../pix-metrics.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import { appendTo } from '../../transactions/append-to.js';
import { ReceiveReturn } from './receive-return.command.js';

/** Keys of returns: each is received once. Those of the second kind had come before the ledger knew the payout. */
const [RETURN, KEPT_RETURN] = ['rail-return', 'rail-return-kept'];

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
    const { events, replayed } = await this.ledger.execute(this.#append(command, RETURN));
    const unmatched = events.find((event) => UnmatchedReturnReceived.is(event));
    if (!unmatched) return replayed ? 'Ignored' : 'Applied';
    if (!replayed) {
      this.metrics.unmatched('Return');
      const { returnId, endToEndId } = command.returned;
      this.#logger.error({ returnId, endToEndId }, 'an unmatched return: no cash-out of ours has its identifier');
    }
    const { cashOut } = command;
    // Those that were kept for what is known of the cash-out stay so.
    const isNewlyKnown = replayed && cashOut && unmatched.metadata.correlation !== cashOut.transaction.id;
    return isNewlyKnown ? this.#receiveKept(command) : 'Unmatched';
  }

  /** A return that was kept, as the ledger had lost its cash-out, and has it again (docs/adr/0042). */
  async #receiveKept(command: ReceiveReturn): Promise<NotificationResult> {
    const append = this.#append(command, KEPT_RETURN);
    const { events, replayed } = await this.ledger.execute({
      ...append,
      decide: (...state) => append.decide(...state).filter(({ type }) => type !== UnmatchedReturnReceived.type),
    });
    if (events.length === 0) return 'Unmatched';
    return replayed ? 'Ignored' : 'Applied';
  }

  #append({ returned, cashOut }: ReceiveReturn, scope: string): Append {
    const partition = cashOut?.partition ?? REGISTRY_PARTITION;
    const incoming = { ...returned, id: newId(partition), receiptToken: this.identifiers.receiptToken() };
    const idempotency = { scope, key: returned.returnId, request: returned.returnId };
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
