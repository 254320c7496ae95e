import { type ApiPixSettings, readApiPixSettings } from './bcb-settings.js';
import type { EnvironmentReader } from './environment.js';
import * as parse from './parsers.js';

/** Settings of `PIX_RAIL=efi`. */
export interface EfiSettings extends ApiPixSettings {
  /** Of the routes that send: the newer version, or the one of older applications. */
  readonly sendUrl: string;
  /** Of the PSP's other own routes. */
  readonly ownUrl: string;
  /** Concurrent payments. */
  readonly atOnce: number;
  /** How long a payment may block the next one. */
  readonly turnMs: number;
  /** A deposit may name who pays: the PSP finds payments by it. */
  readonly checksPayer: boolean;
  /** Pay codes of charges, although the PSP reads the amount once more after us. */
  readonly paysCharges: boolean;
  /** The reverse proxy does not request the PSP's certificate: the webhook is registered with that option. */
  readonly skipMtlsCheck: boolean;
}

/** @returns `undefined` if one is missing or invalid; `env` has then recorded it */
export function readEfiSettings(env: EnvironmentReader, publicUrl: string): EfiSettings | undefined {
  const version = env.withDefault('EFI_SEND_VERSION', parse.oneOf('v2', 'v3'), 'v3');
  const own = {
    atOnce: env.withDefault('EFI_PAYMENTS_AT_ONCE', parse.integer(1, 256), 1),
    turnMs: env.withDefault('EFI_PAYMENT_TURN_SECONDS', parse.integer(1, 3_600), 30) * 1_000,
    checksPayer: env.withDefault('EFI_CHECKS_PAYER', parse.flag, true),
    paysCharges: env.withDefault('EFI_PAYS_CHARGES', parse.flag, false),
    skipMtlsCheck: env.withDefault('EFI_WEBHOOK_SKIP_MTLS', parse.flag, false),
  };
  const shared = readApiPixSettings(env, publicUrl, 'efi', (_why, host) => host && `${host}/oauth/token`);
  if (!shared) return undefined;
  const host = shared.baseUrl;
  return { ...shared, ...own, baseUrl: `${host}/v2`, sendUrl: `${host}/${version}/gn`, ownUrl: `${host}/v2/gn` };
}
