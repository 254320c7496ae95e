import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  accountProjection,
  assertUnchanged,
  orderKey,
  payeeOf,
  type PayoutLimits,
  Registry,
  taxpayer,
  transactionProjection,
  whenFundsCome,
} from '../../../accounts/index.js';
import { Ledger, SubjectVault, type WorkResult } from '../../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../../domain/details.js';
import { RecipientForgotten } from '../../domain/errors.js';
import type { CashOutMethod } from '../../domain/events/shared.js';
import { runCashOut, type Sending } from '../../domain/scheduled-cash-out.decider.js';
import { txidOf } from '../../domain/values/txid.js';
import { PixIdentifiers, withFresh } from '../../identifiers.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { sentOver } from '../../rails/rail-name.js';
import { assertCanBeSent, payoutTerms } from '../request-cash-out/payout-rules.js';
import { RunCashOut } from './run-cash-out.command.js';

type RailName = Pick<Sending, 'endToEndId' | 'sentAs'>;

@CommandHandler(RunCashOut)
export class RunCashOutHandler implements ICommandHandler<RunCashOut> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
    private readonly identifiers: PixIdentifiers,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ cashOut, work: { partition, attempts } }: RunCashOut): Promise<WorkResult> {
    const { id, accountUid } = cashOut;
    const { partnerUid, holder } = await this.registry.facts(accountUid);
    const { settings } = await this.registry.partner(partnerUid);
    const details = detailsOf<CashOutDetails>(cashOut);
    const method = details.method as Exclude<CashOutMethod, 'QrCode'>;
    const recipient = await this.vault.open(partition, details.recipient);
    const { namesPayments } = this.rail.capabilities;
    const sending = {
      ...(namesPayments && method === 'KeyAndAccount' && { keyChecked: false as const }),
      assertCanBeSent: () => {
        if (!recipient) throw new RecipientForgotten();
        assertCanBeSent(this.rail, { method, recipient }, settings.accountDecides);
      },
    };
    // A recipient that was forgotten is refused before its limits are asked for.
    const taxNumber = recipient?.taxNumber ?? '';
    const payee = { taxNumber, subject: taxpayer(partnerUid, taxNumber), holder: holder.taxNumber };
    const append = (name: RailName) =>
      this.ledger.execute({
        partition,
        reads: { accounts: [accountUid], transactions: [id], scheduledTransactions: [id] },
        // Its order is that of its scheduling, which it changes nothing of.
        creates: { orders: [orderKey(accountUid, cashOut.orderId!)] },
        subjects: [payee.subject],
        decide: (rows, at, context) => {
          assertUnchanged(cashOut, rows.of(transactionProjection).get(id)!);
          const account = rows.of(accountProjection).get(accountUid)!;
          const decidedOn = {
            ...payoutTerms(settings),
            account,
            payee: (limits: PayoutLimits) => payeeOf(account, limits, payee, rows, context),
          };
          return runCashOut(decidedOn, cashOut, { ...sending, ...name }, at);
        },
        metadata: { actor: 'timer', correlation: id },
      });
    return whenFundsCome(cashOut, attempts, () =>
      namesPayments
        ? append({ sentAs: { ...sentOver(this.rail), paymentId: txidOf(id) } })
        : withFresh(
            () => this.identifiers.endToEndId(partition),
            (endToEndId) => append({ endToEndId }),
          ),
    );
  }
}
