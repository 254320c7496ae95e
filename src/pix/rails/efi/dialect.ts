import type { EfiSettings } from '../../../platform/config/index.js';
import type { ApiPixDialect, Meaning } from '../bcb/dialect.js';
import type { ApiPixRefusal } from '../bcb/problem.js';
import { paymentInExtras } from './extras.js';

/** Every place where Efí differs from the API Pix of the standard. */
export function efiDialect({ skipMtlsCheck }: Pick<EfiSettings, 'skipMtlsCheck'>): ApiPixDialect {
  return {
    tokenRequest: 'json',
    // Scopes belong to the operator's application at the PSP; a token has all of them.
    scopes: '',
    meanings: MEANINGS,
    describesRefunds: false,
    extras: ({ gnExtras }) => paymentInExtras(gnExtras),
    // Without it the payer's bank is not told.
    receivedQuery: { exibirCodigoBanco: 'true' },
    registrationHeaders: skipMtlsCheck ? { 'x-skip-mtls-checking': 'true' } : {},
  };
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  // "Not found" is a 400 with one of these names.
  cobranca_nao_encontrada: 'NotFound',
  pix_nao_encontrado: 'NotFound',
  devolucao_nao_encontrada: 'NotFound',
  PixEnviadoNaoEncontrado: 'NotFound',
  id_envio_duplicado: 'Duplicate',
  devolucao_id_duplicado: 'Duplicate',
  // Of a payment's key, with 404: it is the payment that is refused.
  chave_favorecido_nao_encontrada: 'Refused',
  // No such route: a defect of ours, never an outcome.
  nao_encontrado: 'Unavailable',
  // The paying account or its key: not a payment's fault, all wait for the operator.
  documento_bloqueado: 'Unavailable',
  chave_invalida: 'Unavailable',
};

/**
 * Whether a refusal is final for a payment that the PSP does not have: only a named error of the PSP is. A bare status
 * may be a proxy's.
 */
export function isFinal({ status, kind, isBare }: Pick<ApiPixRefusal, 'status' | 'kind' | 'isBare'>): boolean {
  if (isBare) return false;
  return status === 400 || status === 422 || kind === 'chave_favorecido_nao_encontrada';
}
