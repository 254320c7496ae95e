import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ACCOUNT_TYPES } from '../../../accounts/index.js';
import {
  type BankAccountInput,
  type BankAccountResult,
  isSameAccount,
  parseBankAccount,
  validationAccountOf,
} from './bank-account.js';

const institution = { ispb: '12345678', branch: '0001' };

function parsed(input: Partial<BankAccountInput>) {
  const result = parseBankAccount({ ...institution, number: '', ...input });
  return result.ok ? { number: result.account.number, digit: result.account.digit } : codes(result);
}

function codes(result: BankAccountResult): string[] {
  return result.ok ? [] : result.faults.map(({ member, code }) => `${member}: ${code}`);
}

const digits = (minimum: number, maximum: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: minimum, maxLength: maximum });
const anyDigit = fc.constantFrom(...'0123456789X');

describe('parseBankAccount', () => {
  it('takes every member, and a checking account where the type is omitted', () => {
    expect(parseBankAccount({ ...institution, number: '12345', digit: '6' })).toEqual({
      ok: true,
      account: { ...institution, number: '12345', digit: '6', type: 'CheckingsAccount' },
    });
  });

  it.each(ACCOUNT_TYPES)('takes the type %s', (type) => {
    const result = parseBankAccount({ ...institution, number: '12345', digit: '6', type });
    expect(result.ok && result.account.type).toBe(type);
  });

  it('splits digit and number the same way however the digit is given', () => {
    fc.assert(
      fc.property(digits(1, 19), anyDigit, (number, digit) => {
        const account = { number, digit };
        expect(parsed({ number, digit })).toEqual(account);
        expect(parsed({ number, digit: digit.toLowerCase() })).toEqual(account);
        expect(parsed({ number: `${number}${digit}` })).toEqual(account);
        expect(parsed({ number: `${number}-${digit.toLowerCase()}` })).toEqual(account);
        expect(parsed({ number: `${number}-${digit}`, digit })).toEqual(account);
        expect(parsed({ number: `${number}${digit}`, digit: '' })).toEqual(account);
      }),
    );
  });

  it('leaves the digit open where the number is too short to hold it', () => {
    expect(parsed({ number: '5', digit: '' })).toEqual({ number: '5', digit: '' });
    expect(parsed({ number: '5' })).toEqual({ number: '5', digit: '' });
    expect(parsed({ number: '56' })).toEqual({ number: '5', digit: '6' });
  });

  it('refuses a digit that differs from the one after the hyphen', () => {
    expect(parsed({ number: '12345-6', digit: '7' })).toEqual(['digit: Mismatch']);
  });

  it.each(['', ' ', 'abc', 'X', '-5', '5-', '1-23', '12-3-4', '1X2', '12 3', '１２', '+12'])(
    'refuses the number %j',
    (number) => {
      expect(parsed({ number })).toEqual(['number: InvalidFormat']);
    },
  );

  it('refuses an X in the number besides the digit', () => {
    expect(parsed({ number: '1234X', digit: '5' })).toEqual(['number: InvalidFormat']);
  });

  it.each(['12', 'a', '-', ' '])('refuses the digit %j', (digit) => {
    expect(parsed({ number: '12345', digit })).toEqual(['digit: InvalidFormat']);
  });

  it('reads an ISPB of digits and letters, in capitals', () => {
    const result = parseBankAccount({ ispb: 'ab12cd34', branch: '0001', number: '123456' });
    expect(result).toMatchObject({ ok: true, account: { ispb: 'AB12CD34' } });
  });

  it('takes twenty characters with the digit, not more', () => {
    expect(parsed({ number: '1'.repeat(19), digit: '2' })).toEqual({ number: '1'.repeat(19), digit: '2' });
    expect(parsed({ number: '1'.repeat(20), digit: '2' })).toEqual(['number: TooLong']);
    expect(parsed({ number: `${'1'.repeat(19)}-2`, digit: '2' })).toEqual({ number: '1'.repeat(19), digit: '2' });
    expect(parsed({ number: '1'.repeat(21) })).toEqual(['number: TooLong']);
  });

  it('tells of one fault of a number alone', () => {
    expect(parsed({ number: `${'1'.repeat(20)}-2`, digit: '3' })).toEqual(['number: TooLong']);
    expect(parsed({ number: `${'1'.repeat(20)}X`, digit: '3' })).toEqual(['number: TooLong']);
    expect(parsed({ number: '12345-X', digit: 'x' })).toEqual({ number: '12345', digit: 'X' });
  });

  it('reports all faults at once', () => {
    const result = parseBankAccount({ ispb: '1234567', branch: '00001', number: 'x y', digit: '12', type: 'Other' });
    expect(codes(result)).toEqual([
      'ispb: InvalidFormat',
      'branch: InvalidFormat',
      'type: NotAllowed',
      'number: InvalidFormat',
      'digit: InvalidFormat',
    ]);
  });
});

describe('a refused account', () => {
  it.each([
    [{ ispb: 'x' }, '6'],
    [{ type: 'Other' }, '6'],
    [{ number: 'x y' }, undefined],
    [{ digit: '12' }, undefined],
  ])('with %j has the digit %s', (faulty, digit) => {
    const result = parseBankAccount({ ...institution, number: '123456', ...faulty });
    expect(result).toMatchObject({ ok: false });
    expect('digit' in result ? result.digit : undefined).toBe(digit);
  });
});

describe('validationAccountOf', () => {
  it('keeps the digit in the number', () => {
    const result = parseBankAccount({ ...institution, number: '12345-x' });
    expect(result.ok && validationAccountOf(result.account)).toEqual({ ...institution, number: '12345X' });
  });
});

describe('isSameAccount', () => {
  const account = { ...institution, number: '12345', digit: '6' };

  it('compares number and digit together, wherever the digit stands', () => {
    expect(isSameAccount(account, { ...institution, number: '123456' })).toBe(true);
    expect(isSameAccount({ ...institution, number: '12345-6' }, account)).toBe(true);
    expect(isSameAccount(account, { ...institution, number: '12345' })).toBe(false);
  });

  it('ignores leading zeros of branch and number', () => {
    expect(isSameAccount(account, { ispb: '12345678', branch: '1', number: '000123456' })).toBe(true);
  });

  it('takes the digit X for 0, as the rail carries it', () => {
    expect(isSameAccount({ ...account, digit: 'X' }, { ...institution, number: '123450' })).toBe(true);
    expect(isSameAccount({ ...account, digit: 'x' }, { ...account, digit: 'X' })).toBe(true);
    expect(isSameAccount({ ...account, digit: 'X' }, { ...institution, number: '12345' })).toBe(false);
  });

  it('tells institutions and branches apart', () => {
    expect(isSameAccount(account, { ...account, ispb: '02345678' })).toBe(false);
    expect(isSameAccount(account, { ...account, branch: '0010' })).toBe(false);
  });

  it('tells an account from one with another digit anywhere', () => {
    fc.assert(
      fc.property(digits(2, 20), fc.nat(), fc.integer({ min: 1, max: 9 }), (number, place, step) => {
        const at = place % number.length;
        const other = number.slice(0, at) + String((Number(number[at]) + step) % 10) + number.slice(at + 1);
        expect(isSameAccount({ ...institution, number }, { ...institution, number })).toBe(true);
        expect(isSameAccount({ ...institution, number }, { ...institution, number: other })).toBe(false);
      }),
    );
  });
});
