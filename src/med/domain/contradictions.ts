import { differs } from '../../accounts/index.js';
import type { Contradiction, RecordedEvent } from '../../event-store/index.js';
import {
  InfractionAgreed,
  InfractionCancelled,
  InfractionClosed,
  InfractionDefended,
  InfractionOverdue,
  InfractionRejected,
  MedReturnCompleted,
  MedReturnErrored,
  MedReturnRegistered,
} from './infraction.events.js';
import { type Infraction, isRunning, isUndecided } from './infraction.js';
import { RecoveryOpened } from './recovery.events.js';
import { isUnderWay, type Recovery } from './recovery.js';

const OF_UNDECIDED = [InfractionOverdue, InfractionAgreed, InfractionRejected];
const OF_RUNNING = [InfractionCancelled, InfractionClosed];

/** What a step of a case contradicts of the case as the events before made it, whatever its row was meanwhile. */
export function infractionContradiction(
  infraction: Infraction | undefined,
  event: RecordedEvent,
): Contradiction | undefined {
  if (!infraction) return undefined;
  return (
    ofAnother(infraction, event) ??
    ofState(infraction, event) ??
    ofTime(infraction, event) ??
    ofMoney(infraction, event)
  );
}

/** What a step of a recovery contradicts of its request. */
export function recoveryContradiction(recovery: Recovery | undefined, event: RecordedEvent): Contradiction | undefined {
  if (!recovery) return undefined;
  const fits = RecoveryOpened.is(event) ? recovery.status === 'Requested' : isUnderWay(recovery);
  return (
    ofAnother(recovery, event) ??
    (fits ? undefined : { field: 'status', expected: 'one under way', found: recovery.status })
  );
}

function ofAnother(
  { accountUid, transactionId }: Infraction | Recovery,
  { data }: RecordedEvent,
): Contradiction | undefined {
  // Events of earlier versions have no transaction.
  const told = data as { readonly accountUid: string; readonly transactionId?: string };
  return (
    differs('accountUid', accountUid, told.accountUid) ??
    differs('transactionId', transactionId, told.transactionId ?? transactionId)
  );
}

function ofState(infraction: Infraction, event: RecordedEvent): Contradiction | undefined {
  const { status } = infraction;
  const has = (types: readonly { is(event: RecordedEvent): boolean }[]) => types.some((type) => type.is(event));
  const expect = (expected: string, fits: boolean) => (fits ? undefined : { field: 'status', expected, found: status });
  if (InfractionDefended.is(event)) return expect('Open', status === 'Open');
  if (has(OF_UNDECIDED)) return expect('Open or Defended', isUndecided(infraction));
  if (has(OF_RUNNING)) return expect('a case that has not ended', isRunning(infraction));
  return MedReturnRegistered.is(event) ? expect('Agreed', status === 'Agreed') : undefined;
}

function ofTime(infraction: Infraction, event: RecordedEvent): Contradiction | undefined {
  const { defenceUntil, decideUntil, returnUntil } = infraction;
  const time = (expected: string, fits: boolean) =>
    fits ? undefined : { field: 'time', expected, found: event.time.toISOString() };
  if (InfractionDefended.is(event)) {
    return time(`not after ${defenceUntil.toISOString()}`, event.time <= defenceUntil);
  }
  const from = (moment: Date) => time(`from ${moment.toISOString()} on`, event.time >= moment);
  if (InfractionOverdue.is(event)) return from(decideUntil);
  return InfractionClosed.is(event) && event.data.ending === 'PeriodEnded' ? from(returnUntil) : undefined;
}

function ofMoney(infraction: Infraction, event: RecordedEvent): Contradiction | undefined {
  const { amount, agreed, returned, pending } = infraction;
  const atMost = (most: bigint, found: string) =>
    BigInt(found) > most ? { field: 'amount', expected: `${most} at most`, found } : undefined;
  if (InfractionAgreed.is(event)) return atMost(amount, event.data.amount);
  if (MedReturnRegistered.is(event)) return atMost((agreed ?? 0n) - returned - pending, event.data.amount);
  if (MedReturnCompleted.is(event) || MedReturnErrored.is(event)) return atMost(pending, event.data.amount);
  if (!InfractionClosed.is(event) || event.data.ending !== 'Returned' || returned === agreed) return undefined;
  return { field: 'ending', expected: `${agreed ?? 'what is agreed'} returned`, found: `Returned with ${returned}` };
}
