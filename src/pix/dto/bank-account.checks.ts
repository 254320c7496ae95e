import { NOT_TEXT, rule } from '../../platform/http/index.js';
import { type BankAccountFault, type BankAccountResult, parseBankAccount } from '../domain/values/bank-account.js';

type Member = BankAccountFault['member'];

/** Parsed once: the rules of its members and the command use the same result. */
const parsed = new WeakMap<object, BankAccountResult>();

/** The account of a body. A member that is no text has its own fault, and does not hide the others'. */
export function accountIn(body: { readonly [M in Member]?: unknown }): BankAccountResult {
  let result = parsed.get(body);
  if (!result) {
    result = parseBankAccount({
      ispb: textOr(body.ispb, '00000000'),
      branch: textOr(body.branch, '0000'),
      number: textOr(body.number, '00'),
      digit: textOr(body.digit, ''),
      type: textOr(body.type, undefined),
    });
    parsed.set(body, result);
  }
  return result;
}

/** One member of an account, as `parseBankAccount` judges it together with the others. */
export function IsAccountMember(member: Member): PropertyDecorator {
  return rule(`is${member}`, (value, owner) => {
    if (typeof value !== 'string') return NOT_TEXT;
    const result = accountIn(owner);
    const fault = result.ok ? undefined : result.faults.find((one) => one.member === member);
    return fault && { code: fault.code, message: fault.message, info: fault.info };
  });
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
