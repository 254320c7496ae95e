import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { endCharge } from '../../domain/cash-in.decider.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import { appendTo } from '../../transactions/append-to.js';
import { EndCharge } from './end-charge.command.js';

@CommandHandler(EndCharge)
export class EndChargeHandler implements ICommandHandler<EndCharge> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ cashIn, state, reason }: EndCharge): Promise<NotificationResult> {
    const { events } = await this.ledger.execute(
      appendTo(cashIn, {
        actor: railActor(this.rail),
        decide: ({ transaction }) => endCharge(transaction, { state, reason }),
      }),
    );
    return events.length > 0 ? 'Applied' : 'Ignored';
  }
}
