import { maskTaxNumber, parseTaxNumber } from '../../../platform/tax-number.js';

/** One side of a payment as a receipt shows it. Unknown members are `''`. */
export interface ReceiptParty {
  readonly name: string;
  readonly taxNumber: string;
  /** ISPB of its institution. */
  readonly ispb: string;
}

/** The content of a completed transaction's receipt. */
export interface Receipt {
  readonly transactionId: string;
  /** Empty where the rail gave none. */
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly completedAt: Date;
  readonly orderId: string;
  /** `Refund`: the parties are those of the refund, not of the original payment. */
  readonly kind: 'Payment' | 'Refund';
  readonly payer: ReceiptParty;
  readonly recipient: ReceiptParty;
  /** Present where the payment went to the account although the request named a key too. */
  readonly keyChecked?: false;
  /** The institution that makes the receipt. */
  readonly institution: { readonly name: string; readonly ispb: string };
}

/** A receipt's text: a title, and sections of labelled lines. */
export interface ReceiptText {
  readonly title: string;
  readonly sections: readonly { readonly heading: string; readonly lines: readonly (readonly [string, string])[] }[];
  readonly footer: string;
}

const KEY_NOT_CHECKED = 'não verificada: o pagamento foi feito à conta informada';

/** A receipt's text, in Portuguese, for the payer. Members that are not known are left out. */
export function receiptText(receipt: Receipt): ReceiptText {
  const { institution, completedAt } = receipt;
  return {
    title: receipt.kind === 'Refund' ? 'Comprovante de devolução Pix' : 'Comprovante de pagamento Pix',
    sections: [
      {
        heading: 'Transação',
        lines: known([
          ['Valor', brazilianAmount(receipt.amount)],
          ['Data e hora', `${brasiliaTime(completedAt)} (horário de Brasília)`],
          ['Data e hora UTC', completedAt.toISOString()],
          ['ID da transação (EndToEndId)', receipt.endToEndId],
          ['Pedido', receipt.orderId],
          ['Identificador', receipt.transactionId],
        ]),
      },
      { heading: 'Pagador', lines: party(receipt.payer) },
      {
        heading: 'Recebedor',
        lines: [
          ...party(receipt.recipient),
          ...(receipt.keyChecked === false ? [['Chave Pix', KEY_NOT_CHECKED] as const] : []),
        ],
      },
    ],
    footer: `${institution.name} · ISPB ${institution.ispb}`,
  };
}

function party({ name, taxNumber, ispb }: ReceiptParty): (readonly [string, string])[] {
  const parsed = parseTaxNumber(taxNumber);
  return known([
    ['Nome', name],
    [parsed?.kind ?? 'CPF/CNPJ', parsed ? maskTaxNumber(parsed) : ''],
    ['Instituição (ISPB)', ispb],
  ]);
}

function known(lines: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return lines.filter(([, value]) => value !== '');
}

/** `123456n` → `R$ 1.234,56`. */
export function brazilianAmount(centavos: bigint): string {
  const digits = centavos.toString().padStart(3, '0');
  return `R$ ${digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, '.')},${digits.slice(-2)}`;
}

const BRASILIA = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** `20/11/2026 09:00:00`: the legal time of Brasília, without the comma that `Intl` puts in. */
function brasiliaTime(at: Date): string {
  return BRASILIA.format(at).replace(',', '');
}
