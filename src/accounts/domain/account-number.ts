/** The operator keeps all accounts at one branch. */
export const BRANCH = '0001';

/** Check digit of an account number: modulus 11, weights 2 to 9 from the right; 10 and 11 become 0. */
export function accountDigit(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, i) => total + Number(digit) * ((i % 8) + 2), 0);
  const digit = 11 - (sum % 11);
  return digit > 9 ? '0' : String(digit);
}
