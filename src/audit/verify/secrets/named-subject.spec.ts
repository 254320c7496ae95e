import { describe, expect, it } from '@jest/globals';
import { taxpayer, transactionParty } from '../../../accounts/index.js';
import type { RecordedEvent } from '../../../event-store/index.js';
import { namesItsSubject, ownerIn, sealedIn, subjectNamedBy } from './named-subject.js';

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

it.each([
  ...['expectedPayer', 'holder', 'payee', 'payer', 'person', 'recipient'].map((member) => [member, true] as const),
  ...['description', 'note', 'reason'].map((member) => [member, false] as const),
])('a value of the member %s names its subject: %p', (member, names) => {
  expect(namesItsSubject(member)).toBe(names);
});

it('the sealed values of an event are found among its other members', () => {
  const sealed = { sealed: 'v1.x', subject: { kind: 'partner', id: 'p1' } };
  const others = { id: 't1', none: null, text: 'sealed', sealedOnly: { sealed: 'v1.x' }, subjectOnly: { subject: {} } };
  const one = event('X', { ...others, payer: sealed, amount: '1', note: sealed });
  expect(sealedIn(one)).toEqual([
    { sealed, member: 'payer', event: one },
    { sealed, member: 'note', event: one },
  ]);
});

it('a payment of a transaction names that transaction’s party', () => {
  const told = { id: 't1', payment: { endToEndId: 'E1' } };
  expect(subjectNamedBy(event('X', told), MARIA, 'p1')).toEqual(taxpayer('p1', MARIA.taxNumber));
  expect(subjectNamedBy(event('X', {}), { name: 'Maria' }, 'p1')).toBeUndefined();
});
