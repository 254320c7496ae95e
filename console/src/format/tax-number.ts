/**
 * `123.456.789-09` (CPF) or `11.222.333/0001-81` (CNPJ, letters too since July 2026). Anything else is shown as it is.
 */
export function formatTaxNumber(taxNumber: string): string {
  const cpf = /^(\d{3})(\d{3})(\d{3})(\d{2})$/.exec(taxNumber);
  if (cpf) return `${cpf[1]}.${cpf[2]}.${cpf[3]}-${cpf[4]}`;
  const cnpj = /^([0-9A-Z]{2})([0-9A-Z]{3})([0-9A-Z]{3})([0-9A-Z]{4})(\d{2})$/.exec(taxNumber);
  if (cnpj) return `${cnpj[1]}.${cnpj[2]}.${cnpj[3]}/${cnpj[4]}-${cnpj[5]}`;
  return taxNumber;
}

/** A typed tax number without points, hyphens, slashes and spaces, in capitals. */
export function plainTaxNumber(typed: string): string {
  return typed.replace(/[.\-/\s]/g, '').toUpperCase();
}

/** A bank account as people in Brazil write it: `0001 / 100001-4`. */
export function formatBankAccount(branch: string, number: string, digit: string): string {
  return `${branch} / ${number}${digit && `-${digit}`}`;
}
