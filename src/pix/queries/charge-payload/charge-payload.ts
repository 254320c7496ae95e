import { formatAmount } from '../../../platform/money.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';

/** A payable charge, as the payer's bank reads it. */
export interface PayableCharge {
  readonly txid: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Whom the charge is addressed to; `''` where the partner gave none or the data were forgotten. */
  readonly payer: { readonly name: string; readonly taxNumber: string };
  readonly orderId: string;
  readonly description: string;
}

type Debtor = { readonly nome: string } & ({ readonly cpf: string } | { readonly cnpj: string });

/** Schema `CobPayload` of the BCB's API Pix 2.9. */
export interface ChargePayload {
  readonly revisao: number;
  readonly calendario: { readonly criacao: string; readonly apresentacao: string; readonly expiracao: number };
  readonly txid: string;
  readonly valor: { readonly original: string; readonly modalidadeAlteracao: 0 };
  readonly chave: string;
  readonly status: 'ATIVA';
  readonly devedor?: Debtor;
  readonly solicitacaoPagador?: string;
  readonly infoAdicionais: readonly { readonly nome: string; readonly valor: string }[];
}

/** Longest `solicitacaoPagador`: the field `RmtInf` of the pacs.008. */
const MAXIMUM_REQUEST = 140;

/**
 * The payload of a charge (BCB, "Manual de Padrões para Iniciação do Pix", and API Pix, `CobPayload`). The
 * charge never changes once it is made, so its revision stays 0, and the payer may not change the amount.
 * @param chave the Pix key that receives deposits
 * @param presentedAt when the payer's bank asked
 */
export function chargePayload(charge: PayableCharge, chave: string, presentedAt: Date): ChargePayload {
  return {
    revisao: 0,
    calendario: {
      criacao: charge.createdAt.toISOString(),
      apresentacao: presentedAt.toISOString(),
      expiracao: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000),
    },
    txid: charge.txid,
    valor: { original: formatAmount(charge.amount), modalidadeAlteracao: 0 },
    chave,
    status: 'ATIVA',
    ...toldToPayer(charge.payer, charge),
  };
}

/** What a charge tells its payer, whoever serves it: alike in `CobPayload` and in `CobSolicitada`. */
export function toldToPayer(
  payer: PayableCharge['payer'],
  { orderId, description }: Pick<PayableCharge, 'orderId' | 'description'>,
): Pick<ChargePayload, 'devedor' | 'solicitacaoPagador' | 'infoAdicionais'> {
  const devedor = debtor(payer);
  return {
    ...(devedor && { devedor }),
    ...(description && { solicitacaoPagador: [...description].slice(0, MAXIMUM_REQUEST).join('') }),
    infoAdicionais: [{ nome: 'Pedido', valor: orderId }],
  };
}

/** The schema needs both name and tax number: without one of them the debtor is left out. */
function debtor({ name, taxNumber }: PayableCharge['payer']): Debtor | undefined {
  const parsed = parseTaxNumber(taxNumber);
  if (!parsed || name === '') return undefined;
  return parsed.kind === 'CPF' ? { nome: name, cpf: parsed.value } : { nome: name, cnpj: parsed.value };
}
