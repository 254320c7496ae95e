import { describe, expect, it } from '@jest/globals';
import { type BodyMaterial, originKeyOf } from './delivery.js';
import { webhookBody } from './webhook-body.js';

const material: BodyMaterial = {
  fields: {
    id: 'id',
    transactionState: 'Error',
    transactionDate: '2026-11-20T14:04:05.123Z',
    transactionAmount: '10.00',
    transactionType: 'Debit',
    transactionPaymentType: 'PIX',
    transactionOrderId: 'order',
    transactionCharges: '0.00',
    webhookUrl: 'https://partner.example/',
    receiptToken: null,
    transactionReceiptDate: null,
    transactionReceiptVoucher: '',
    stateRegisteredDate: '2026-11-20T14:04:05.123Z',
    stateCompletedDate: null,
    other: { stateErrorDate: '2026-11-20T14:04:06.000Z', stateErrorCause: 'AC07' },
  },
  partyRole: 'recipient',
  party: null,
  description: null,
};
const account = { ispb: '60701190', branch: '0001', number: '1234', digit: '5', type: 'CheckingsAccount' };
const shown = {
  bankCode: '60701190',
  accountAgency: '0001',
  accountNumber: '1234',
  accountDigit: '5',
  accountType: 'CheckingsAccount',
};
const party = (opened: object | null) =>
  JSON.parse(webhookBody(material, { party: opened, description: null, receipt: null })).recipient;

describe('the body of a webhook', () => {
  it('has every member of contract 2.7 in its order, and those of its state before the party', () => {
    expect(Object.keys(JSON.parse(webhookBody(material, { party: null, receipt: null, description: 'text' })))).toEqual(
      [
        'id',
        'transactionState',
        'transactionDate',
        'transactionAmount',
        'transactionType',
        'transactionPaymentType',
        'transactionOrderId',
        'transactionOrderDescription',
        'transactionCharges',
        'webhookUrl',
        'transactionReceipt',
        'transactionReceiptDate',
        'transactionReceiptVoucher',
        'stateRegisteredDate',
        'stateCompletedDate',
        'stateErrorDate',
        'stateErrorCause',
        'recipient',
      ],
    );
  });

  it("takes the account from what the rail said, or from the request's", () => {
    expect(party({ name: 'Maria', taxNumber: '52998224725', ...account })).toEqual({
      name: 'Maria',
      taxNumber: '52998224725',
      ...shown,
    });
    expect(party({ name: '', taxNumber: '52998224725', account })).toEqual({
      name: '',
      taxNumber: '52998224725',
      ...shown,
    });
  });

  it('shows what nobody told, or what was forgotten, as empty texts', () => {
    const nothing = { bankCode: '', accountAgency: '', accountNumber: '', accountDigit: '', accountType: '' };
    expect(party({ name: 'Maria' })).toEqual({ name: 'Maria', taxNumber: '', ...nothing });
    expect(party(null)).toEqual({ name: '', taxNumber: '', ...nothing });
  });
});

describe('origin keys', () => {
  it('are shared by the paths of a partner on one origin, and by nobody else', () => {
    const key = originKeyOf('p', 'https://a.example/one');
    expect(originKeyOf('p', 'https://a.example:443/two?x=1')).toBe(key);
    expect(originKeyOf('p', 'https://a.example:8443/one')).not.toBe(key);
    expect(originKeyOf('q', 'https://a.example/one')).not.toBe(key);
    expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
