import { describe, expect, it } from '@jest/globals';
import { taxpayer, transactionParty } from '../../../accounts/index.js';
import type { RecordedEvent } from '../../../event-store/index.js';
import { ownerIn, subjectNamedBy } from './named-subject.js';

const event = (type: string, data: object) => ({ type, data }) as RecordedEvent;
const MARIA = { name: 'Maria', taxNumber: '11144477735' };

describe('the subject that a value names', () => {
  it.each([
    ['by a tax number', { id: 't1' }, MARIA, taxpayer('p1', MARIA.taxNumber)],
    ['by the transaction, where there is none', { id: 't1' }, { name: 'Maria' }, transactionParty('t1')],
    ['by the transaction, where it is empty', { id: 't1' }, { ...MARIA, taxNumber: '' }, transactionParty('t1')],
    ['by a payment for no transaction', { payment: { endToEndId: 'E1' } }, MARIA, transactionParty('E1')],
  ])('%s', (_how, data, value, expected) => {
    expect(subjectNamedBy(event('X', data), value, 'p1')).toEqual(expected);
  });

  it('is nobody where the partner of a tax number is not known', () => {
    expect(subjectNamedBy(event('X', { id: 't1' }), MARIA, undefined)).toBeUndefined();
  });
});

describe('whose event it is', () => {
  it.each([
    ['it says itself', 'CashInCompleted', { id: 't1', partnerUid: 'p1' }, { partner: 'p1', of: 't1' }],
    ['a partner’s registration', 'PartnerRegistered', { uid: 'p1' }, { partner: 'p1', of: 'p1' }],
    ['its account says', 'SecureContactRegistered', { uid: 'a1' }, { of: 'a1' }],
    ['its transaction says', 'CashInTold', { id: 't1' }, { of: 't1' }],
  ])('%s', (_how, type, data, expected) => {
    expect(ownerIn(event(type, data))).toEqual(expected);
  });
});
