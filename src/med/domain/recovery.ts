import type { EventOf, RecordedEvent, Sealed } from '../../event-store/index.js';
import type { FraudReason } from '../../pix/index.js';
import { RecoveryAccepted, RecoveryOpened, RecoveryRefused, RecoveryRequested } from './recovery.events.js';

/** `Requested`: on its way to the rail. `Opened`: the rail has it. The others are final. */
export const RECOVERY_STATES = ['Requested', 'Opened', 'Accepted', 'Refused'] as const;
export type RecoveryStatus = (typeof RECOVERY_STATES)[number];

/** A request for the money of a payout. Amounts are centavos. */
export interface Recovery {
  readonly id: string;
  readonly accountUid: string;
  /** The payout. */
  readonly transactionId: string;
  readonly endToEndId: string;
  readonly reason: FraudReason;
  readonly details: Sealed<string>;
  readonly amount: bigint;
  readonly status: RecoveryStatus;
  /** What the payee's institution agreed to. */
  readonly accepted: bigint | null;
  readonly refusalCode: string | null;
  /** When each state was reached, ISO. */
  readonly stateDates: Readonly<Partial<Record<RecoveryStatus, string>>>;
  /** Version of its stream. */
  readonly version: number;
}

export function isUnderWay({ status }: Recovery): boolean {
  return status === 'Requested' || status === 'Opened';
}

const STEPS = [RecoveryRequested, RecoveryOpened, RecoveryAccepted, RecoveryRefused];

export function recoveriesOf(event: RecordedEvent): readonly string[] {
  return STEPS.some((type) => type.is(event)) ? [(event.data as { id: string }).id] : [];
}

export function evolveRecovery(recovery: Recovery | undefined, event: RecordedEvent): Recovery {
  if (RecoveryRequested.is(event)) return requested(event);
  if (!recovery) throw new TypeError(`${event.type} is about a recovery that was never requested`);
  const reach = (status: RecoveryStatus) => ({
    ...recovery,
    status,
    stateDates: { ...recovery.stateDates, [status]: event.time.toISOString() },
    version: event.version,
  });
  if (RecoveryOpened.is(event)) return reach('Opened');
  if (RecoveryAccepted.is(event)) return { ...reach('Accepted'), accepted: BigInt(event.data.amount) };
  if (RecoveryRefused.is(event)) return { ...reach('Refused'), refusalCode: event.data.code };
  throw new TypeError(`${event.type} does not change a recovery`);
}

function requested({ data, time, version }: EventOf<typeof RecoveryRequested>): Recovery {
  const { id, accountUid, transactionId, endToEndId, reason, details, amount } = data;
  return {
    id,
    accountUid,
    transactionId,
    endToEndId,
    reason,
    details,
    amount: BigInt(amount),
    status: 'Requested',
    accepted: null,
    refusalCode: null,
    stateDates: { Requested: time.toISOString() },
    version,
  };
}
