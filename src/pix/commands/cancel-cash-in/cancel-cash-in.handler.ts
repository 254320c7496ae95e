import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { keyActor } from '../../../auth/index.js';
import { Ledger } from '../../../event-store/index.js';
import { ServiceUnavailable } from '../../../platform/errors/index.js';
import { ChargeTurns } from '../../charge-turns.js';
import { cancelCashIn } from '../../domain/cash-in.decider.js';
import { ChargeMayBeClosed } from '../../domain/errors.js';
import { assertCanBecome } from '../../domain/transitions.js';
import { txidOf } from '../../domain/values/txid.js';
import { PixTransactions } from '../../transactions/pix-transactions.js';
import { type ChargeClosing, PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { RailUnavailable } from '../../rails/rail-errors.js';
import { appendTo } from '../../transactions/append-to.js';
import { ownCashIn } from '../own-cash-in.js';
import { ReceivePayment } from '../receive-payment/receive-payment.command.js';
import { CancelCashIn } from './cancel-cash-in.command.js';

/** The charge is closed at the rail first: an earlier payment wins, even if its notification has not arrived yet. */
@CommandHandler(CancelCashIn)
export class CancelCashInHandler implements ICommandHandler<CancelCashIn> {
  constructor(
    private readonly ledger: Ledger,
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    private readonly turns: ChargeTurns,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ caller, id, requestId }: CancelCashIn): Promise<void> {
    const located = await ownCashIn(this.transactions, caller, id);
    assertCanBecome(located.transaction, 'Cancelled');
    const closing = await this.turns.take(caller.partnerUid, () => this.#close(id));
    if (closing.status === 'Paid') await this.commands.execute(new ReceivePayment(closing.payment));
    const cancelled = this.ledger.execute(
      appendTo(located, {
        actor: keyActor(caller),
        requestId,
        decide: ({ transaction }) => cancelCashIn(transaction),
      }),
    );
    await cancelled.catch((error: unknown) => {
      throw error instanceof ServiceUnavailable && closing.status !== 'Paid' ? new ChargeMayBeClosed() : error;
    });
  }

  async #close(id: string): Promise<ChargeClosing> {
    try {
      return await this.rail.cancelCharge(txidOf(id));
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      throw new ChargeMayBeClosed();
    }
  }
}
