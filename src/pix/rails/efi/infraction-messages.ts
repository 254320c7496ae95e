import { list, MalformedAnswer, members, moment, optionalText, text } from '../bcb/messages.js';
import type { FraudReason, InfractionState, ReportedInfraction } from '../infraction-rail.js';

/** `GET …/infracoes`: as the types of the PSP's SDK have it (`MedListResponse`). */
export interface InfractionPage {
  readonly infractions: readonly ReportedInfraction[];
  /** How many pages there are; the first is 0. */
  readonly pages: number;
}

/** In another state a report is still analysed. */
const STATES: Readonly<Record<string, InfractionState>> = {
  ACEITA: 'Agreed',
  REJEITADA: 'Rejected',
  CANCELADA_EFI: 'Cancelled',
};

const REASONS: Readonly<Record<string, FraudReason>> = {
  golpe: 'Scam',
  'aquisição da conta': 'AccountTakeover',
  coerção: 'Coercion',
  'acesso fraudulento': 'FraudulentAccess',
};

export function readInfractionPage(body: unknown): InfractionPage {
  const page = members(body, 'infracoes');
  const { paginacao } = members(page.parametros, 'parametros');
  const { quantidadeDePaginas: pages } = members(paginacao, 'parametros.paginacao');
  if (!Number.isInteger(pages)) throw new MalformedAnswer('parametros.paginacao.quantidadeDePaginas');
  return { infractions: list(page.infracoes, 'infracoes').map(readInfraction), pages: pages as number };
}

function readInfraction(body: unknown): ReportedInfraction {
  const infraction = members(body, 'infracao');
  const { abertura, prazoFinalizacao } = members(infraction.dadosAnalise, 'dadosAnalise');
  const details = optionalText(infraction.comentario);
  return {
    railId: text(infraction.idInfracao, 'idInfracao'),
    endToEndId: text(infraction.endToEndId, 'endToEndId'),
    amount: centavosOf(infraction.valor),
    reason: REASONS[optionalText(infraction.tipoSituacao) ?? ''] ?? 'Other',
    ...(details && { details }),
    state: STATES[text(infraction.status, 'status')] ?? 'Open',
    reportedAt: moment(abertura, 'dadosAnalise.abertura'),
    decideUntil: moment(prazoFinalizacao, 'dadosAnalise.prazoFinalizacao'),
  };
}

/** Here the PSP writes a number of reais, and not a text as everywhere else. */
function centavosOf(valor: unknown): bigint {
  const centavos = Math.round(Number(valor) * 100);
  if (!Number.isSafeInteger(centavos) || centavos <= 0) throw new MalformedAnswer('valor');
  return BigInt(centavos);
}
