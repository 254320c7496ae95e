import { ACCOUNT_TYPES, type AccountType } from '../../../accounts/index.js';
import { parseIspb } from '../../../platform/ispb.js';
import type { Fault } from './fault.js';

/**
 * An account at any institution: ISPB of eight digits or capitals, branch of four digits, number of digits and the
 * verification digit apart from it, `0`–`9` or `X`. The digit is `''` where a number of one digit named none.
 */
export interface BankAccount {
  readonly ispb: string;
  readonly branch: string;
  readonly number: string;
  readonly digit: string;
  readonly type: AccountType;
}

/** The account of an expected payer: requests give no type (contract 2.5). */
export type PayerAccount = Omit<BankAccount, 'type'>;

/** An account that a payer may pay from; its `number` includes the verification digit. */
export type ValidationAccount = Pick<BankAccount, 'ispb' | 'branch' | 'number'>;

/** What names an account, the verification digit in `digit` or at the end of `number`. */
export type AccountIdentity = ValidationAccount & { readonly digit?: string };

export interface BankAccountInput extends AccountIdentity {
  readonly type?: string;
}

export type BankAccountFault = Fault<
  'ispb' | 'branch' | 'number' | 'digit' | 'type',
  'InvalidFormat' | 'TooLong' | 'NotAllowed' | 'Mismatch'
>;
export type BankAccountResult =
  | { readonly ok: true; readonly account: BankAccount }
  | {
      readonly ok: false;
      readonly faults: readonly BankAccountFault[];
      /** Where number and digit are well: `''` where none was left to take. */
      readonly digit?: string;
    };

const BRANCH = /^[0-9]{4}$/;
const DIGIT = /^[0-9Xx]$/;
/** Digits; the last character may be an X, and a hyphen may stand before it. */
const NUMBER = /^[0-9]+(?:-?[0-9Xx])?$/;
/** BCB DICT API, `AccountNumber`: at most twenty characters, verification digit included. */
const MAXIMUM_NUMBER_LENGTH = 20;

/**
 * Reads the account of a request. Without `digit` (or with an empty one) the last character of `number` is the digit,
 * a hyphen before it is dropped. With `digit`, a hyphened number names the digit twice, and both must be the same.
 * All faults at once.
 */
export function parseBankAccount(input: BankAccountInput): BankAccountResult {
  const faults = [...institutionFaults(input)];
  const ispb = parseIspb(input.ispb);
  const type = ACCOUNT_TYPES.find((known) => known === (input.type ?? 'CheckingsAccount'));
  if (type === undefined) {
    faults.push({
      member: 'type',
      code: 'NotAllowed',
      message: 'is not an account type',
      info: { allowedValues: ACCOUNT_TYPES },
    });
  }
  const parts = splitNumber(input.number, input.digit ?? '');
  faults.push(...parts.faults);
  if (ispb === undefined || type === undefined || faults.length > 0) {
    return { ok: false, faults, ...(parts.faults.length === 0 && { digit: parts.digit }) };
  }
  return {
    ok: true,
    account: { ispb, branch: input.branch, number: parts.number, digit: parts.digit, type },
  };
}

/** An account as a cash-in names its payer's: without a type. */
export function payerAccountOf({ ispb, branch, number, digit }: BankAccount): PayerAccount {
  return { ispb, branch, number, digit };
}

/** An account as a validation account: the digit belongs to its number. */
export function validationAccountOf({ ispb, branch, number, digit }: BankAccount): ValidationAccount {
  return { ispb, branch, number: `${number}${digit}` };
}

/**
 * Whether two sets of details name one account. What is compared is what the rail knows: ISPB, branch and the number
 * with its digit. Leading zeros of branch and number do not count: institutions pad them as they like. The type is not
 * compared.
 */
export function isSameAccount(one: AccountIdentity, other: AccountIdentity): boolean {
  return (
    one.ispb === other.ispb &&
    withoutLeadingZeros(one.branch) === withoutLeadingZeros(other.branch) &&
    withoutLeadingZeros(railNumber(one)) === withoutLeadingZeros(railNumber(other))
  );
}

/** The number with its digit, in digits: DICT and the SPI carry a letter as 0 (BCB DICT API, `AccountNumber`). */
export function railNumber({ number, digit = '' }: Pick<AccountIdentity, 'number' | 'digit'>): string {
  return `${number}${digit}`.replace('-', '').replace(/X$/i, '0');
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

function institutionFaults({ ispb, branch }: ValidationAccount): BankAccountFault[] {
  const faults: BankAccountFault[] = [];
  if (parseIspb(ispb) === undefined) {
    faults.push({ member: 'ispb', code: 'InvalidFormat', message: 'is not eight digits or letters' });
  }
  if (!BRANCH.test(branch)) faults.push({ member: 'branch', code: 'InvalidFormat', message: 'is not four digits' });
  return faults;
}

function numberFaults(number: string, digit: string): BankAccountFault[] {
  const length = number.replace('-', '').length + digit.length;
  if (length > MAXIMUM_NUMBER_LENGTH) {
    const message = `has more than ${MAXIMUM_NUMBER_LENGTH} characters, verification digit included`;
    return [{ member: 'number', code: 'TooLong', message, info: { maximum: MAXIMUM_NUMBER_LENGTH } }];
  }
  if (NUMBER.test(number)) return [];
  return [{ member: 'number', code: 'InvalidFormat', message: 'is not an account number' }];
}

interface NumberParts {
  readonly number: string;
  readonly digit: string;
  readonly faults: readonly BankAccountFault[];
}

function splitNumber(number: string, digit: string): NumberParts {
  const [body = '', hyphened] = number.toUpperCase().split('-');
  const given = digit.toUpperCase();
  const named = given === '' || hyphened !== undefined;
  const faults = numberFaults(number, named ? '' : digit);
  if (given === '') {
    const whole = `${body}${hyphened ?? ''}`;
    return whole.length < 2
      ? { number: whole, digit: '', faults }
      : { number: whole.slice(0, -1), digit: whole.slice(-1), faults };
  }
  if (!DIGIT.test(digit)) {
    faults.push({ member: 'digit', code: 'InvalidFormat', message: 'is not one digit or X' });
  } else if (hyphened !== undefined && hyphened !== given && faults.length === 0) {
    faults.push({ member: 'digit', code: 'Mismatch', message: 'differs from the digit after the hyphen of number' });
  } else if (hyphened === undefined && body.endsWith('X') && faults.length === 0) {
    // An X is always the verification digit, so one inside the number would name the digit twice.
    faults.push({ member: 'number', code: 'InvalidFormat', message: 'holds an X besides the verification digit' });
  }
  return { number: body, digit: given, faults };
}
