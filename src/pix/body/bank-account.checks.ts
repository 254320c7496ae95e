import { NOT_TEXT, rule } from '../../platform/http/index.js';
import { type BankAccountFault, parseBankAccount } from '../domain/values/bank-account.js';

type Member = BankAccountFault['member'];

const GOOD = { ispb: '00000000', branch: '0000', number: '00' };

/** One member of an account of a body, as `parseBankAccount` judges it together with the others. */
export function IsAccountMember(member: Member): PropertyDecorator {
  return rule(`is${member}`, (value, owner) => {
    if (typeof value !== 'string') return NOT_TEXT;
    const { number, digit } = owner;
    const input =
      member === 'number' || member === 'digit'
        ? { ...GOOD, number: textOr(number, GOOD.number), digit: textOr(digit, '') }
        : { ...GOOD, [member]: value };
    const result = parseBankAccount(input, 'optional');
    const fault = result.ok ? undefined : result.faults.find((one) => one.member === member);
    return fault && { code: fault.code, message: fault.message, info: fault.info };
  });
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
