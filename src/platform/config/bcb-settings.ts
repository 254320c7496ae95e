import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { EnvironmentReader } from './environment.js';
import * as parse from './parsers.js';

/** Settings of a rail that speaks the API Pix: how to reach the PSP, and how it reaches us. */
export interface ApiPixSettings {
  /** URL of the API, without a trailing slash: `https://pix.example.com/api/v2`. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  /** What events call the account at the PSP: neither personal nor secret. */
  readonly psp: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM: the client certificate (mutual TLS). */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** PEM of the authorities to trust instead of the system's. */
  readonly authorities: string | undefined;
  /** The https URL at which the PSP reaches this service, perhaps with a path. */
  readonly webhookUrl: string;
  /** The secret part of the URL for notifications. */
  readonly webhookToken: string;
  /** Timeout of one attempt of a request, milliseconds. */
  readonly timeoutMs: number;
  /** Days that one query of `GET /pix` may span at this PSP. */
  readonly queryDays: number;
  /** A look-up shows what the PSP has accepted after this, at the latest. */
  readonly lookUpLagMs: number;
}

/** Settings of `PIX_RAIL=bcb`. */
export interface BcbSettings extends ApiPixSettings {
  /** The PSP's answers name the payer (`pagador`, beyond the standard). */
  readonly identifiesPayer: boolean;
}

/** @returns `undefined` if one is missing or invalid; `env` has then recorded it */
export function readBcbSettings(env: EnvironmentReader, publicUrl: string): BcbSettings | undefined {
  const identifiesPayer = env.withDefault('BCB_IDENTIFIES_PAYER', parse.flag, false);
  const shared = readApiPixSettings(env, publicUrl, 'bcb', (why) => env.required('BCB_TOKEN_URL', parse.httpsUrl, why));
  return shared && { ...shared, identifiesPayer };
}

/**
 * The settings of every rail of the API Pix, with the rail's prefix.
 * @param tokenUrlOf the token endpoint, by the base URL
 */
export function readApiPixSettings(
  env: EnvironmentReader,
  publicUrl: string,
  rail: 'bcb' | 'efi',
  tokenUrlOf: (why: string, baseUrl: string | undefined) => string | undefined,
): ApiPixSettings | undefined {
  const prefix = rail.toUpperCase();
  const why = `must be set for PIX_RAIL=${rail}`;
  env.demand('PIX_KEY', `${why}: the key of the account at the PSP`);
  const baseUrl = env.required(`${prefix}_BASE_URL`, parse.httpsUrl, why);
  const needed = {
    baseUrl,
    tokenUrl: tokenUrlOf(why, baseUrl),
    clientId: env.required(`${prefix}_CLIENT_ID`, (text) => text, why),
    clientSecret: env.required(`${prefix}_CLIENT_SECRET`, (text) => text, why),
    clientCertificate: env.required(`${prefix}_CLIENT_CERT`, certificate, why),
    clientKey: env.required(`${prefix}_CLIENT_KEY`, clientKey, why),
    webhookToken: env.required(
      `${prefix}_WEBHOOK_TOKEN`,
      parse.matching(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, _ or -'),
      why,
    ),
  };
  if (!publicUrl.startsWith('https:')) env.demand(`${prefix}_WEBHOOK_URL`, `${why} where PUBLIC_URL is not https`);
  const optional = {
    psp: env.withDefault(`${prefix}_PSP`, pspName, baseUrl === undefined ? '' : new URL(baseUrl).host),
    authorities: env.optional(`${prefix}_CA`, certificate),
    webhookUrl: env.optional(`${prefix}_WEBHOOK_URL`, parse.httpsUrl) ?? publicUrl,
    timeoutMs: env.withDefault(`${prefix}_TIMEOUT_MS`, parse.integer(100, 9_000), 3_000),
    queryDays: env.withDefault(`${prefix}_QUERY_DAYS`, parse.integer(1, 90), 5),
    lookUpLagMs: env.withDefault(`${prefix}_LOOKUP_LAG_SECONDS`, parse.integer(1, 1_800), 300) * 1_000,
  };
  if (!isComplete(needed)) return undefined;
  if (!new X509Certificate(needed.clientCertificate).checkPrivateKey(createPrivateKey(needed.clientKey))) {
    env.problems.push(`${prefix}_CLIENT_KEY: is not the key of ${prefix}_CLIENT_CERT`);
  }
  return { ...needed, ...optional };
}

type Found<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function isComplete<T extends object>(needed: T): needed is T & Found<T> {
  return Object.values(needed).every((value) => value !== undefined);
}

const pspName = parse.matching(/^[\w.:-]{1,100}$/, 'must be 1 to 100 letters, digits, ., :, _ or -');

const certificate = parse.pem((text) => {
  const until = new Date(new X509Certificate(text).validTo);
  if (until < new Date()) throw new parse.RuleBroken(`the certificate is valid until ${until.toISOString()} only`);
}, 'must be certificates as PEM, or the path of a file of them');

const clientKey = parse.pem(
  (text) => void createPrivateKey(text),
  'must be a private key as PEM without a passphrase, or the path of a file of one',
);
