import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, systemAccount, systemAccountUid } from '../../../accounts/index.js';
import { Ledger, newId } from '../../../event-store/index.js';
import {
  INFRACTION_RAIL,
  type InfractionRail,
  PixIdentifiers,
  PixTransactions,
  railActor,
} from '../../../pix/index.js';
import { Cases } from '../../cases.js';
import { MedReturnRegistered } from '../../domain/infraction.events.js';
import { recordOwnReturn } from '../../domain/own-return.decider.js';
import { RecordOwnReturn } from './record-own-return.command.js';

/** Each once, by the rail's identifier of the return. A refund of ours is recorded as such already. */
@CommandHandler(RecordOwnReturn)
export class RecordOwnReturnHandler implements ICommandHandler<RecordOwnReturn> {
  readonly #logger = new Logger(RecordOwnReturnHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly cases: Cases,
    private readonly identifiers: PixIdentifiers,
    private readonly transactions: PixTransactions,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async execute({ known, made, isLast }: RecordOwnReturn): Promise<void> {
    if (await this.transactions.byOwnIdentifier(made.returnId)) return;
    const { partition, partnerUid, infraction } = known;
    const settlementUid = systemAccountUid(partnerUid, partition, 'pix-settlement');
    const refundId = newId(partition);
    const left = await this.cases.leftOf(await this.cases.deposit(infraction.transactionId), made.amount);
    const receiptToken = this.identifiers.receiptToken();
    const { events } = await this.cases.append(
      known,
      {
        actor: railActor(this.rail),
        creates: [refundId],
        also: [settlementUid],
        idempotency: { scope: 'rail-med-return', key: made.returnId, request: made.returnId },
        decide: (state, at, rows) => {
          const settlement = systemAccount(rows.of(accountProjection), settlementUid, 'pix-settlement');
          return recordOwnReturn({ ...state, settlement, left }, { ...made, refundId, receiptToken, isLast }, at);
        },
      },
      (append) => this.ledger.execute(append),
    );
    const booked = BigInt(events.find((event) => MedReturnRegistered.is(event))?.data.amount ?? 0);
    const { returnId, amount } = made;
    if (booked === amount) return;
    const facts = { returnId, case: infraction.id, amount: amount.toString(), booked: booked.toString() };
    this.#logger.error(facts, 'the rail gave more back than the case has blocked');
  }
}
