import { parseTaxNumber } from '../../../platform/tax-number.js';
import { isOwnPaymentId } from '../../domain/values/payment-id.js';
import {
  cutText,
  endToEndIdOf,
  identifier,
  list,
  LONGEST_NAME,
  members,
  moment,
  optionalText,
  paidAmount,
  readEach,
  text,
} from '../bcb/answer-members.js';
import { listedPage, type ListedPage } from '../bcb/list-position.js';
import type { SentPayment } from './states.js';

/** @param body of `GET …/enviados/…`, or one of `GET …/enviados`; of sending too, without the payee */
export function readSent(body: unknown): SentPayment {
  const sent = members(body, 'pix');
  const times = timesOf(sent.horario);
  return {
    idEnvio: text(sent.idEnvio, 'idEnvio'),
    // One member in the documentation, the other in the SDK.
    endToEndId: endToEndIdOf(sent.endToEndId ?? sent.e2eId, 'endToEndId'),
    amount: paidAmount(sent.valor, 'valor'),
    status: text(sent.status, 'status'),
    at: moment(times, 'horario'),
    payee: payeeOf(sent.favorecido),
    returns: list(sent.devolucoes, 'devolucoes').map((one) => {
      const { rtrId, valor, horario } = members(one, 'devolucoes');
      return {
        returnId: identifier(rtrId, 'devolucoes.rtrId'),
        amount: paidAmount(valor, 'devolucoes.valor'),
        at: moment(timesOf(horario), 'devolucoes.horario'),
      };
    }),
  };
}

export interface SentPage extends ListedPage {
  readonly sent: readonly SentPayment[];
}

/** Payments of ours: another system's that is not whole hides none of them. */
export function readSentPage(body: unknown): SentPage {
  const page = members(body, 'enviados');
  const listed = list(page.pix, 'pix');
  // What the account's holder sends by other means has an identifier of another shape, or none.
  const ours = listed.filter((one) => isOwnPaymentId((one as { idEnvio?: unknown } | null)?.idEnvio));
  const { found, unread } = readEach(ours, readSent);
  return { sent: found, ...listedPage(page.parametros, listed), unread };
}

/** A timestamp, or one for each state: the last one counts. */
function timesOf(horario: unknown): unknown {
  if (typeof horario === 'string') return horario;
  const { liquidacao, solicitacao } = members(horario, 'horario');
  return liquidacao ?? solicitacao;
}

/** Name and tax number, unless it is masked. The account stays as requested. */
function payeeOf(favorecido: unknown): SentPayment['payee'] {
  const { identificacao, contaBanco } = (favorecido ?? {}) as { identificacao?: unknown; contaBanco?: unknown };
  const { nome, cpf, cnpj } = (identificacao ?? contaBanco ?? {}) as Record<string, unknown>;
  const name = cutText(nome, LONGEST_NAME);
  const given = optionalText(cnpj) ?? optionalText(cpf);
  const taxNumber = given === undefined ? undefined : parseTaxNumber(given)?.value;
  return { ...(name && { name }), ...(taxNumber && { taxNumber }) };
}
