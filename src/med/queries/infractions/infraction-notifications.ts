import { ApiProperty } from '@nestjs/swagger';
import { describeNotification, type Notification } from '../../../accounts/index.js';
import { formatAmount } from '../../../platform/money.js';
import { AMOUNT, MOMENT, UUID } from '../../../platform/http/index.js';
import {
  InfractionAgreed,
  InfractionCancelled,
  InfractionClosed,
  InfractionRejected,
  InfractionReported,
  MedReturnCompleted,
} from '../../domain/infraction.events.js';

/** What partners are told of a report: the case is read by its id. */
export class InfractionNotification {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(UUID) readonly accountUid: string;
  /** The deposit */
  @ApiProperty(UUID) readonly transactionId: string;
  /** What is asked back, what is to go back, or what went back now; absent otherwise */
  @ApiProperty({ ...AMOUNT, required: false }) readonly amount?: string;
  /** Of a new report: until then a defence is heard, by then it is decided, and until then money goes back */
  @ApiProperty({ ...MOMENT, required: false }) readonly defenceUntil?: string;
  @ApiProperty({ ...MOMENT, required: false }) readonly decideUntil?: string;
  @ApiProperty({ ...MOMENT, required: false }) readonly returnUntil?: string;
}

export const INFRACTION_CHANGES = [
  'infraction.reported',
  'infraction.agreed',
  'infraction.rejected',
  'infraction.cancelled',
  'infraction.returned',
  'infraction.closed',
] as const;
type InfractionChange = (typeof INFRACTION_CHANGES)[number];

describeNotification(InfractionReported, ({ data }) => {
  const { defenceUntil, decideUntil, returnUntil } = data;
  return told('infraction.reported', data, { defenceUntil, decideUntil, returnUntil });
});
describeNotification(InfractionAgreed, ({ data }) => told('infraction.agreed', data));
describeNotification(InfractionRejected, ({ data }) => told('infraction.rejected', data));
describeNotification(InfractionCancelled, ({ data }) => told('infraction.cancelled', data));
describeNotification(MedReturnCompleted, ({ data }) => told('infraction.returned', data));
describeNotification(InfractionClosed, ({ data }) => told('infraction.closed', data));

interface Told {
  readonly id: string;
  readonly accountUid: string;
  readonly transactionId: string;
  readonly amount?: string;
}

function told(
  type: InfractionChange,
  { id, accountUid, transactionId, amount }: Told,
  deadlines: Pick<InfractionNotification, 'defenceUntil' | 'decideUntil' | 'returnUntil'> = {},
): Notification {
  const data: InfractionNotification = {
    id,
    accountUid,
    transactionId,
    ...(amount !== undefined && { amount: formatAmount(BigInt(amount)) }),
    ...deadlines,
  };
  return { type, accountUid, subjectId: id, data };
}
