import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../event-store/index.js';
import { infractionContradiction, recoveryContradiction } from './contradictions.js';
import { evolveInfraction, type Infraction } from './infraction.js';
import { evolveRecovery, type Recovery } from './recovery.js';

const of = { id: 'case', partnerUid: 'partner', accountUid: 'account', transactionId: 'deposit' };
const day = (n: number) => new Date(Date.UTC(2026, 7, n));

/** Days are those after the deposit was completed. */
const step = (type: string, data: object = {}, on = 1) =>
  ({ type, data: { ...of, ...data }, time: day(on), version: 1 }) as unknown as RecordedEvent;

const reported = step('InfractionReported', {
  ...{
    endToEndId: 'E1',
    railId: 'r',
    reason: 'Scam',
    amount: '8000',
    holdId: 'hold',
    reportedAt: day(1).toISOString(),
  },
  ...{ defenceUntil: day(6).toISOString(), decideUntil: day(8).toISOString(), returnUntil: day(90).toISOString() },
});
const defended = step('InfractionDefended', { defence: null });
const agreed = step('InfractionAgreed', { amount: '5000' });
const rejected = step('InfractionRejected');
const cancelled = step('InfractionCancelled');
const registered = (amount: string) => step('MedReturnRegistered', { refundId: 'refund', returnId: 'D1', amount });
const completed = (amount: string) => step('MedReturnCompleted', { refundId: 'refund', amount });
const closed = (ending: string, on = 1) => step('InfractionClosed', { ending }, on);

/** @returns what the last of the events contradicts of those before it; these contradict nothing */
function found(...events: readonly RecordedEvent[]) {
  let infraction: Infraction | undefined;
  for (const event of events.slice(0, -1)) {
    expect(infractionContradiction(infraction, event)).toBeUndefined();
    infraction = evolveInfraction(infraction, event);
  }
  return infractionContradiction(infraction, events.at(-1)!);
}

describe('a step of a case', () => {
  it.each([
    ['a defence, an agreement, and its returns to the end', [defended, agreed, registered('5000'), completed('5000')]],
    ['an end when all is returned', [agreed, registered('5000'), completed('5000'), closed('Returned')]],
    ['an end after the ninety days', [step('InfractionOverdue', {}, 8), closed('PeriodEnded', 90)]],
    ['an end when nothing is left', [closed('NothingLeft')]],
    ['the end of a return after that of the case', [agreed, registered('100'), cancelled, completed('100')]],
    ['an event of before, which names no deposit', [step('InfractionRejected', { transactionId: undefined })]],
  ])('contradicts nothing: %s', (_what, events) => {
    expect(found(reported, ...events)).toBeUndefined();
  });

  it.each([
    ['of another deposit', [step('InfractionAgreed', { amount: '1', transactionId: 'another' })], 'transactionId'],
    ['of another account', [step('InfractionRejected', { accountUid: 'another' })], 'accountUid'],
    ['a defence that comes too late', [step('InfractionDefended', { defence: null }, 7)], 'time'],
    ['a second defence', [defended, defended], 'status'],
    ['an analysis that is late too early', [step('InfractionOverdue', {}, 7)], 'time'],
    ['a second decision', [rejected, agreed], 'status'],
    ['a decision after the end', [cancelled, rejected], 'status'],
    ['an agreement with more than is asked for', [step('InfractionAgreed', { amount: '8001' })], 'amount'],
    ['a report that is taken back after its end', [rejected, cancelled], 'status'],
    ['a return that nobody agreed with', [registered('1')], 'status'],
    ['a return of more than was agreed on', [agreed, registered('3000'), registered('2001')], 'amount'],
    ['the end of a return that was not begun', [agreed, registered('3000'), completed('3001')], 'amount'],
    ['an end of the ninety days before them', [closed('PeriodEnded', 89)], 'time'],
    ['an end as returned before all is', [agreed, registered('3000'), completed('3000'), closed('Returned')], 'ending'],
    ['a second end', [closed('NothingLeft'), closed('NothingLeft')], 'status'],
  ])('contradicts those before it: %s', (_what, events, field) => {
    expect(found(reported, ...events)).toMatchObject({ field });
  });
});

describe('a step of a recovery', () => {
  const requested = evolveRecovery(undefined, step('RecoveryRequested', { endToEndId: 'E1', amount: '5000' }));
  const after = (...events: readonly RecordedEvent[]) => events.reduce<Recovery>(evolveRecovery, requested);
  const [opened, accepted, refused] = [
    step('RecoveryOpened'),
    step('RecoveryAccepted', { amount: '1' }),
    step('RecoveryRefused', { code: 'x' }),
  ];

  it('contradicts nothing', () => {
    expect(recoveryContradiction(requested, opened)).toBeUndefined();
    expect(recoveryContradiction(after(opened), accepted)).toBeUndefined();
    expect(recoveryContradiction(requested, refused)).toBeUndefined();
  });

  it('contradicts those before it: of another payout, opened twice, or after its end', () => {
    const another = step('RecoveryAccepted', { amount: '1', transactionId: 'another' });
    expect(recoveryContradiction(requested, another)).toMatchObject({ field: 'transactionId' });
    expect(recoveryContradiction(after(opened), opened)).toMatchObject({ field: 'status', found: 'Opened' });
    expect(recoveryContradiction(after(refused), accepted)).toMatchObject({ field: 'status', found: 'Refused' });
  });
});
