import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { failKeyLookUp, resolveKey } from '../../domain/cash-out.decider.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import { appendTo, type FollowUp } from '../../transactions/append-to.js';
import { Payees } from '../../transactions/payees.js';
import { type KeyResolution, ResolveKey } from './resolve-key.command.js';

/** No event where another look-up has named the owner meanwhile: the payment may have been sent. */
@CommandHandler(ResolveKey)
export class ResolveKeyHandler implements ICommandHandler<ResolveKey> {
  constructor(
    private readonly ledger: Ledger,
    private readonly payees: Payees,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ cashOut, resolution }: ResolveKey): Promise<void> {
    const decision = await this.#decision(cashOut, resolution);
    await this.ledger.execute(appendTo(cashOut, { actor: railActor(this.rail), ...decision }));
  }

  async #decision(
    cashOut: ResolveKey['cashOut'],
    resolution: KeyResolution,
  ): Promise<Pick<FollowUp, 'subjects' | 'decide'>> {
    if ('misfit' in resolution) {
      return { decide: ({ transaction, ...accounts }) => failKeyLookUp(transaction, accounts, resolution.misfit) };
    }
    const payee = await this.payees.with(cashOut, resolution.owner);
    return { subjects: [payee.subject], decide: ({ transaction, account }) => resolveKey(transaction, account, payee) };
  }
}
