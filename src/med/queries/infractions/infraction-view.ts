import { ApiProperty } from '@nestjs/swagger';
import type { RecordedEvent } from '../../../event-store/index.js';
import { type FraudReason, FRAUD_REASONS } from '../../../pix/index.js';
import { AMOUNT, MOMENT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { INFRACTION_STATES, type InfractionStatus } from '../../domain/infraction.js';
import { INFRACTION_ENDINGS, type InfractionEnding } from '../../domain/infraction.events.js';
import type { OpenedCase } from './opened-case.js';

export class DefenceView {
  readonly text: string;
  readonly links: string[];
}

/** A report of an infraction about a deposit, as partners see it. */
export class InfractionView {
  @ApiProperty(UUID) readonly id: string;
  /** The deposit */
  @ApiProperty(UUID) readonly transactionId: string;
  readonly endToEndId: string;
  @ApiProperty({ enum: FRAUD_REASONS, enumName: 'FraudReason' }) readonly reason: FraudReason;
  /** The payer's words; `null` where there are none, or they were forgotten */
  readonly details: string | null;
  /** What is asked back */
  @ApiProperty(AMOUNT) readonly amount: string;
  /** The hold on the account; `null` where nothing was left to be blocked */
  @ApiProperty({ ...UUID, nullable: true }) readonly holdId: string | null;
  /** What it blocks now */
  @ApiProperty(AMOUNT) readonly blocked: string;
  @ApiProperty({ enum: INFRACTION_STATES, enumName: 'InfractionStatus' }) readonly status: InfractionStatus;
  /** Why it was closed */
  @ApiProperty({ enum: INFRACTION_ENDINGS, enumName: 'InfractionEnding', nullable: true })
  readonly ending: InfractionEnding | null;
  /** What is to go back; `null` before a decision */
  @ApiProperty({ ...AMOUNT, nullable: true }) readonly agreed: string | null;
  /** What is back at the payer, and what is on its way */
  @ApiProperty(AMOUNT) readonly returned: string;
  @ApiProperty(AMOUNT) readonly pending: string;
  @ApiProperty({ type: () => DefenceView, nullable: true }) readonly defence: DefenceView | null;
  /** Until then a defence is heard */
  @ApiProperty(MOMENT) readonly defenceUntil: string;
  /** By then it is decided */
  @ApiProperty(MOMENT) readonly decideUntil: string;
  /** Until then money goes back as it comes in */
  @ApiProperty(MOMENT) readonly returnUntil: string;
  @ApiProperty(MOMENT) readonly reportedAt: string;
  /** When each state was reached */
  @ApiProperty({ type: 'object', additionalProperties: MOMENT })
  readonly stateDates: Readonly<Partial<Record<InfractionStatus, string>>>;
}

/** And as operators do. */
export class OperatorInfractionView extends InfractionView {
  @ApiProperty(UUID) readonly accountUid: string;
  /** The rail's identifier of the report */
  readonly railId: string;
  /** The analysis should have ended */
  readonly overdue: boolean;
  /** The operator's words about the decision */
  readonly note: string | null;
}

/** What happened to a case. */
export class CaseStep {
  /** As the log names it */
  readonly type: string;
  @ApiProperty(MOMENT) readonly at: string;
  /** `operator:`, `access-key:` or `rail:` and a name; `timer` */
  readonly by: string;
  /** Of a decision, or of a return */
  @ApiProperty({ ...AMOUNT, nullable: true }) readonly amount: string | null;
  /** The return, a transaction */
  @ApiProperty({ ...UUID, nullable: true }) readonly refundId: string | null;
  /** What the payer says was done, or why the rail refused a return */
  readonly reason: string | null;
}

/** A case as operators read it alone. */
export class InfractionStoryView extends OperatorInfractionView {
  /** The newest hundred steps, oldest first */
  readonly story: CaseStep[];
}

export function showInfraction({ infraction, texts: { details, defence }, blocked }: OpenedCase): InfractionView {
  const { id, transactionId, endToEndId, reason, holdId, status, ending, stateDates } = infraction;
  return {
    id,
    transactionId,
    endToEndId,
    reason,
    details,
    amount: formatAmount(infraction.amount),
    holdId,
    blocked: formatAmount(blocked),
    status,
    ending,
    agreed: infraction.agreed === null ? null : formatAmount(infraction.agreed),
    returned: formatAmount(infraction.returned),
    pending: formatAmount(infraction.pending),
    defence: defence && { text: defence.text, links: [...defence.links] },
    defenceUntil: infraction.defenceUntil.toISOString(),
    decideUntil: infraction.decideUntil.toISOString(),
    returnUntil: infraction.returnUntil.toISOString(),
    reportedAt: infraction.reportedAt.toISOString(),
    stateDates,
  };
}

export function showToOperator(opened: OpenedCase): OperatorInfractionView {
  const { accountUid, railId, overdue } = opened.infraction;
  return { ...showInfraction(opened), accountUid, railId, overdue, note: opened.texts.note };
}

export function showStep({ type, time, metadata, data }: RecordedEvent): CaseStep {
  const { amount, refundId, reason } = data as { amount?: string; refundId?: string; reason?: string };
  return {
    type,
    at: time.toISOString(),
    by: metadata.actor,
    amount: amount === undefined ? null : formatAmount(BigInt(amount)),
    refundId: refundId ?? null,
    reason: reason ?? null,
  };
}

export const INFRACTION_EXAMPLE: InfractionView = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  transactionId: '0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e',
  endToEndId: 'E99999008202611201404abcdefghijk',
  reason: 'Scam',
  details: 'The seller never sent the phone.',
  amount: '100.00',
  holdId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f',
  blocked: '80.00',
  status: 'Defended',
  ending: null,
  agreed: null,
  returned: '0.00',
  pending: '0.00',
  defence: { text: 'The goods were delivered.', links: ['https://shop.example/orders/1234/receipt'] },
  defenceUntil: '2026-11-25T14:04:05.123Z',
  decideUntil: '2026-11-27T14:04:05.123Z',
  returnUntil: '2027-02-18T14:04:05.123Z',
  reportedAt: '2026-11-20T14:04:05.123Z',
  stateDates: { Open: '2026-11-20T14:04:05.123Z', Defended: '2026-11-21T14:04:05.123Z' },
};

export const OPERATOR_INFRACTION_EXAMPLE: OperatorInfractionView = {
  ...INFRACTION_EXAMPLE,
  accountUid: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  railId: 'b8d19bd4-51dc-4784-a2ad-52807c6dfc80',
  overdue: false,
  note: null,
};

export const INFRACTION_STORY_EXAMPLE: InfractionStoryView = {
  ...OPERATOR_INFRACTION_EXAMPLE,
  story: [
    {
      type: 'InfractionReported',
      at: '2026-11-20T14:04:05.123Z',
      by: 'rail:sandbox',
      amount: '100.00',
      refundId: null,
      reason: 'Scam',
    },
  ],
};
