import type { EfiSettings } from '../../../platform/config/index.js';
import type { ApiPixDialect, Meaning } from '../bcb/dialect.js';
import { toldOfReceived } from './told.js';

/** Every place where Efí differs from the API Pix of the standard. */
export function efiDialect({ skipMtlsCheck }: Pick<EfiSettings, 'skipMtlsCheck'>): ApiPixDialect {
  return {
    tokenRequest: 'json',
    // They belong to the application that the operator made at the PSP; a token has all of them.
    scopes: '',
    words: WORDS,
    describesRefunds: false,
    told: ({ gnExtras }) => toldOfReceived(gnExtras),
    registrationHeaders: skipMtlsCheck ? { 'x-skip-mtls-checking': 'true' } : {},
  };
}

const WORDS: Readonly<Record<string, Meaning>> = {
  // "Not found" is a 400 with a word.
  cobranca_nao_encontrada: 'NotFound',
  pix_nao_encontrado: 'NotFound',
  devolucao_nao_encontrada: 'NotFound',
  PixEnviadoNaoEncontrado: 'NotFound',
  // Of a payment's key, with 404: it is the payment that is refused.
  chave_favorecido_nao_encontrada: 'Refused',
  // No such route: a defect of ours, never an outcome.
  nao_encontrado: 'Unavailable',
  // The paying account or its key: no payment is to blame, and all wait for the operator.
  documento_bloqueado: 'Unavailable',
  chave_invalida: 'Unavailable',
};

/** The word for an `idEnvio` that a payment was made with, or is being made with. */
export const DUPLICATE = 'id_envio_duplicado';

/**
 * Whether a refusal is the end of a payment, once the PSP says that it has none: only a word of the PSP's is. A bare
 * status may be anybody's on the way.
 */
export function isFinal({ status, kind }: { readonly status: number; readonly kind: string }): boolean {
  if (kind === DUPLICATE || kind.startsWith('Http')) return false;
  return status === 400 || status === 422 || kind === 'chave_favorecido_nao_encontrada';
}
