import {
  cutText,
  endToEndIdOf,
  identifier,
  list,
  MalformedAnswer,
  members,
  moment,
  optionalText,
  paidAmount,
  readEach,
  text,
} from '../bcb/answer-members.js';
import { listedPage, type ListedPage } from '../bcb/list-position.js';
import type { FraudReason, InfractionState, ReportedInfraction } from '../infraction-rail.js';

/** `GET …/infracoes`: as the types of the PSP's SDK have it (`MedListResponse`). */
export interface InfractionPage extends ListedPage {
  readonly infractions: readonly ReportedInfraction[];
}

/** In another state a report is still analysed. */
const STATES: ReadonlyMap<string, InfractionState> = new Map([
  ['ACEITA', 'Agreed'],
  ['REJEITADA', 'Rejected'],
  ['CANCELADA_EFI', 'Cancelled'],
]);

/** Of the payer's words, in characters: as the DICT has them. */
const LONGEST_DETAILS = 2_000;

const REASONS: ReadonlyMap<string, FraudReason> = new Map([
  ['golpe', 'Scam'],
  ['aquisição da conta', 'AccountTakeover'],
  ['coerção', 'Coercion'],
  ['acesso fraudulento', 'FraudulentAccess'],
]);

export function readInfractionPage(body: unknown): InfractionPage {
  const page = members(body, 'infracoes');
  const listed = list(page.infracoes, 'infracoes');
  const { found, unread } = readEach(listed, readInfraction);
  return { infractions: found, ...listedPage(page.parametros, listed), unread };
}

function readInfraction(body: unknown): ReportedInfraction {
  const infraction = members(body, 'infracao');
  const { abertura, prazoFinalizacao } = members(infraction.dadosAnalise, 'dadosAnalise');
  const details = cutText(infraction.comentario, LONGEST_DETAILS);
  return {
    railId: identifier(infraction.idInfracao, 'idInfracao'),
    endToEndId: endToEndIdOf(infraction.endToEndId, 'endToEndId'),
    amount: centavosOf(infraction.valor),
    reason: REASONS.get(optionalText(infraction.tipoSituacao) ?? '') ?? 'Other',
    ...(details && { details }),
    state: STATES.get(text(infraction.status, 'status')) ?? 'Open',
    reportedAt: moment(abertura, 'dadosAnalise.abertura'),
    ...deadlineOf(prazoFinalizacao),
  };
}

/** Money is to be blocked at once: a report waits for no deadline that can be read. */
function deadlineOf(prazoFinalizacao: unknown): Pick<ReportedInfraction, 'decideUntil'> {
  const { found } = readEach([prazoFinalizacao], (one) => moment(one, 'dadosAnalise.prazoFinalizacao'));
  return found[0] ? { decideUntil: found[0] } : {};
}

/** Here the PSP writes a number of reais, and not a text as everywhere else; anything else that counts is no amount. */
function centavosOf(valor: unknown): bigint {
  if (typeof valor !== 'number') return paidAmount(valor, 'valor');
  const centavos = Math.round(valor * 100);
  if (!Number.isSafeInteger(centavos) || centavos <= 0) throw new MalformedAnswer('valor');
  return BigInt(centavos);
}
