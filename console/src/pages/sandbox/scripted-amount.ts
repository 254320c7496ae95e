/**
 * An amount ("5.00") with the centavos that tell the sandbox's rail how to end it. Text that is no amount stays as it
 * is.
 */
export function scripted(amount: string, centavos: string): string {
  return centavos === '00' ? amount : amount.replace(/\.\d\d$/, `.${centavos}`);
}
