import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { HoldIsOfNoDeposit, LoggedHolds, Registry } from '../../../accounts/index.js';
import { type EventOf, Ledger, newId, partitionOf, scoped } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { RefundRegistered } from '../../domain/events/refund.events.js';
import { returnHeldDeposit } from '../../domain/held-return.decider.js';
import { type NewReturn, PixIdentifiers, withFresh } from '../../identifiers.js';
import { appendTo } from '../../transactions/append-to.js';
import { PixTransactions } from '../../transactions/pix-transactions.js';
import { acceptedRefund } from '../refund-cash-in/accepted-refund.js';
import type { AcceptedRefund } from '../refund-cash-in/refund-cash-in.command.js';
import { ReturnHold } from './return-hold.command.js';

@CommandHandler(ReturnHold)
export class ReturnHoldHandler implements ICommandHandler<ReturnHold> {
  constructor(
    private readonly ledger: Ledger,
    private readonly holds: LoggedHolds,
    private readonly transactions: PixTransactions,
    private readonly registry: Registry,
    private readonly identifiers: PixIdentifiers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute(command: ReturnHold): Promise<AcceptedRefund> {
    const { accountUid, holdId, amount, code, actor, requestId, idempotency, preview } = command;
    const { holder } = await this.registry.facts(accountUid);
    const partition = partitionOf(accountUid)!;
    // The deposit says whom the money goes to: a row could name another one for a moment.
    const hold = await this.holds.find(holdId);
    if (hold?.accountUid !== accountUid) throw new EntityNotFound('HoldEntity', 'id', holdId);
    if (hold.depositId === null) throw new HoldIsOfNoDeposit();
    const deposit = (await this.transactions.byId(hold.depositId))!;
    const id = newId(partition);
    const key = scoped(accountUid, idempotency);
    const register = (made: NewReturn) =>
      this.ledger.execute(
        appendTo(deposit, {
          actor,
          requestId,
          creates: [id],
          holds: { reads: [holdId] },
          idempotency: key,
          decide: ({ transaction, account, holds }, at) =>
            returnHeldDeposit(
              transaction,
              { account, hold: holds.get(holdId) },
              { id, ...made, holdId, amount, code },
              at,
            ),
        }),
        preview,
      );
    const mint = () => this.identifiers.returnAsked(deposit, { amount, idempotency: key });
    const { events, replayed } = await withFresh(mint, register);
    return acceptedRefund(events[0] as EventOf<typeof RefundRegistered>, replayed, holder, this.config);
  }
}
