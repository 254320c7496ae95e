import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../event-store/index.js';
import { reconciliationCaseProjection } from '../reconciliation.projections.js';
import { caseIdOf, closeCase, type Difference, type Night, recordDay } from './reconciliation.decider.js';

const difference = (reference: string): Difference => ({
  kind: 'PaymentOut',
  reference,
  transactionId: null,
  rail: 1_00n,
  ledger: null,
});
const night = (differences: readonly Difference[]): Night => ({ day: '2026-11-20', mismatched: 1, differences });
const opened = (one: Difference) => {
  const [, event] = recordDay({ day: undefined, cases: new Map() }, night([one]));
  const recorded = { ...event, time: new Date(0), metadata: { actor: 'timer' } } as unknown as RecordedEvent;
  return reconciliationCaseProjection.evolve(undefined, recorded, caseIdOf(one));
};

describe('a night', () => {
  it('is recorded, with a case for each difference', () => {
    expect(recordDay({ day: undefined, cases: new Map() }, night([difference('E1')]))).toMatchObject([
      { type: 'DayReconciled', stream: 'reconciliation-2026-11-20', data: { day: '2026-11-20', mismatched: 1 } },
      { type: 'ReconciliationCaseOpened', data: { reference: 'E1', rail: '100', ledger: null, day: '2026-11-20' } },
    ]);
  });

  it('that was recorded is not again, and only what is new becomes a case', () => {
    const known = opened(difference('E1'));
    const day = { day: '2026-11-20', mismatched: 1, balance: null, before: null };
    const state = { day, cases: new Map([[known.id, known]]) };
    expect(recordDay(state, night([difference('E1')]))).toEqual([]);
    expect(recordDay(state, night([difference('E1'), difference('E2')]))).toMatchObject([
      { data: { reference: 'E2' } },
    ]);
  });

  it('opens one case for a reference that differs twice', () => {
    const twice = [difference('E1'), { ...difference('E1'), rail: null, ledger: 1_00n }];
    expect(recordDay({ day: undefined, cases: new Map() }, night(twice))).toHaveLength(1 + 1);
  });

  it('opens a hundred cases at most, of those that have none yet', () => {
    const many = Array.from({ length: 150 }, (_, n) => difference(`E${n}`));
    const cases = new Map(many.slice(0, 30).map((one) => [caseIdOf(one), opened(one)]));
    const events = recordDay({ day: undefined, cases }, night(many));
    expect(events).toHaveLength(1 + 100);
    expect(events[1]).toMatchObject({ data: { reference: 'E30' } });
  });
});

describe('a case', () => {
  it('has an id of its own by kind and reference', () => {
    const ids = [difference('E1'), difference('E2'), { ...difference('E1'), kind: 'PaymentIn' as const }].map(caseIdOf);
    expect(new Set(ids).size).toBe(3);
    expect(caseIdOf(difference('E1'))).toBe(ids[0]);
  });

  it('is closed once', () => {
    const one = opened(difference('E1'));
    const closing = closeCase(one, 'Found.');
    expect(closing).toMatchObject([
      { type: 'ReconciliationCaseClosed', version: 2, data: { id: one.id, note: 'Found.' } },
    ]);
    expect(closeCase({ ...one, status: 'Closed' }, 'Again.')).toEqual([]);
  });
});
