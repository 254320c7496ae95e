/** The CPF that begins with nine digits. */
export function cpfOf(base: string): string {
  const digit = (text: string) => {
    const rest = [...text].reduce((sum, one, i) => sum + Number(one) * (text.length + 1 - i), 0) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const first = digit(base);
  return `${base}${first}${digit(`${base}${first}`)}`;
}

export const written = (cpf: string) => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d\d)/, '$1.$2.$3-$4');
export const writtenCnpj = (cnpj: string) => cnpj.replace(/(\d\d)(\d{3})(\d{3})(\d{4})(\d\d)/, '$1.$2.$3/$4-$5');
