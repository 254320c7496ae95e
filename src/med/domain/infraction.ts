import type { EventOf, RecordedEvent, Sealed } from '../../event-store/index.js';
import type { FraudReason } from '../../pix/index.js';
import {
  type Defence,
  InfractionAgreed,
  InfractionAnswered,
  InfractionCancelled,
  InfractionClosed,
  InfractionDefended,
  InfractionOverdue,
  InfractionRejected,
  InfractionReported,
  MedReturnCompleted,
  MedReturnErrored,
  MedReturnRegistered,
  type InfractionEnding,
} from './infraction.events.js';

/** `Agreed`: money goes back as it comes in. `Rejected`, `Cancelled` and `Closed` are final. */
export const INFRACTION_STATES = ['Open', 'Defended', 'Agreed', 'Rejected', 'Cancelled', 'Closed'] as const;
export type InfractionStatus = (typeof INFRACTION_STATES)[number];

/** A report of an infraction about a deposit. Amounts are centavos. */
export interface Infraction {
  readonly id: string;
  readonly accountUid: string;
  /** The deposit. */
  readonly transactionId: string;
  readonly endToEndId: string;
  readonly railId: string;
  readonly reason: FraudReason;
  readonly details: Sealed<string> | null;
  readonly amount: bigint;
  readonly holdId: string | null;
  readonly status: InfractionStatus;
  /** The analysis should have ended. */
  readonly overdue: boolean;
  readonly defence: Sealed<Defence> | null;
  /** The operator's words. */
  readonly note: Sealed<string> | null;
  /** What is to go back; `null` before the report was agreed with. */
  readonly agreed: bigint | null;
  /** What is back, and what is on its way. */
  readonly returned: bigint;
  readonly pending: bigint;
  /** Returns that the rail refused, in a row, and until when no other is tried. */
  readonly refusals: number;
  readonly pauseUntil: Date | null;
  readonly ending: InfractionEnding | null;
  /** When each state was reached, ISO. */
  readonly stateDates: Readonly<Partial<Record<InfractionStatus, string>>>;
  readonly reportedAt: Date;
  readonly defenceUntil: Date;
  readonly decideUntil: Date;
  readonly returnUntil: Date;
  /** Version of its stream. */
  readonly version: number;
}

export function streamOfInfraction(id: string): string {
  return `infraction-${id}`;
}

/** Whether nobody has decided yet. */
export function isUndecided({ status }: Infraction): boolean {
  return status === 'Open' || status === 'Defended';
}

/** Whether it has not ended. */
export function isRunning(infraction: Infraction): boolean {
  return isUndecided(infraction) || infraction.status === 'Agreed';
}

const STEPS = [
  InfractionDefended,
  InfractionOverdue,
  InfractionAgreed,
  InfractionRejected,
  InfractionCancelled,
  InfractionAnswered,
  InfractionClosed,
  MedReturnRegistered,
  MedReturnCompleted,
  MedReturnErrored,
];

export function infractionsOf(event: RecordedEvent): readonly string[] {
  if (!InfractionReported.is(event) && !STEPS.some((type) => type.is(event))) return [];
  return [(event.data as { id: string }).id];
}

export function evolveInfraction(infraction: Infraction | undefined, event: RecordedEvent): Infraction {
  if (InfractionReported.is(event)) return reported(event);
  if (!infraction) throw new TypeError(`${event.type} is about a report that never came`);
  return { ...infraction, ...changed(infraction, event), version: event.version };
}

function changed(infraction: Infraction, event: RecordedEvent): Partial<Infraction> {
  const { returned, pending, refusals } = infraction;
  const reach = (status: InfractionStatus) => ({
    status,
    stateDates: { ...infraction.stateDates, [status]: event.time.toISOString() },
  });
  if (InfractionDefended.is(event)) return { ...reach('Defended'), defence: event.data.defence };
  if (InfractionOverdue.is(event)) return { overdue: true };
  if (InfractionAgreed.is(event)) {
    return { ...reach('Agreed'), agreed: BigInt(event.data.amount), note: event.data.note ?? null };
  }
  if (InfractionRejected.is(event)) return { ...reach('Rejected'), note: event.data.note ?? null };
  if (InfractionCancelled.is(event)) return reach('Cancelled');
  if (InfractionAnswered.is(event)) return {};
  if (InfractionClosed.is(event)) return { ...reach('Closed'), ending: event.data.ending };
  if (MedReturnRegistered.is(event)) return { pending: pending + BigInt(event.data.amount) };
  if (MedReturnCompleted.is(event)) {
    const amount = BigInt(event.data.amount);
    return { returned: returned + amount, pending: pending - amount, refusals: 0, pauseUntil: null };
  }
  if (MedReturnErrored.is(event)) {
    const { amount, retryAt } = event.data;
    return { pending: pending - BigInt(amount), refusals: refusals + 1, pauseUntil: new Date(retryAt) };
  }
  throw new TypeError(`${event.type} does not change a report`);
}

function reported({ data, time, version }: EventOf<typeof InfractionReported>): Infraction {
  const { id, accountUid, transactionId, endToEndId, railId, reason } = data;
  return {
    id,
    accountUid,
    transactionId,
    endToEndId,
    railId,
    reason,
    details: data.details ?? null,
    amount: BigInt(data.amount),
    holdId: data.holdId ?? null,
    status: 'Open',
    overdue: false,
    defence: null,
    note: null,
    agreed: null,
    returned: 0n,
    pending: 0n,
    refusals: 0,
    pauseUntil: null,
    ending: null,
    stateDates: { Open: time.toISOString() },
    reportedAt: new Date(data.reportedAt),
    defenceUntil: new Date(data.defenceUntil),
    decideUntil: new Date(data.decideUntil),
    returnUntil: new Date(data.returnUntil),
    version,
  };
}
