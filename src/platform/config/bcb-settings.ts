import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { EnvironmentReader } from './environment.js';
import * as parse from './parsers.js';

/** Settings of `PIX_RAIL=bcb`: how to reach the PSP's API Pix, and how it reaches us. */
export interface BcbSettings {
  /** Of the API, without a slash at its end: `https://pix.example.com/api/v2`. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM: what this client shows of itself (mutual TLS). */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** PEM of the authorities to trust instead of the system's. */
  readonly authorities: string | undefined;
  /** Where the PSP reaches this service: scheme and host, perhaps a path. Https. */
  readonly webhookUrl: string;
  /** The unguessable part of the notifications' address. */
  readonly webhookToken: string;
  /** Milliseconds that one try of a request may take. */
  readonly timeoutMs: number;
  /** Days that one query of `GET /pix` may span at this PSP. */
  readonly queryDays: number;
  /** The PSP's answers name the payer (`pagador`, beyond the standard). */
  readonly identifiesPayer: boolean;
}

const WHY = 'must be set for PIX_RAIL=bcb';

/** @returns `undefined` where one is missing or wrong; `env` then knows it */
export function readBcbSettings(env: EnvironmentReader, publicUrl: string): BcbSettings | undefined {
  env.demand('PIX_KEY', `${WHY}: the key of the account at the PSP`);
  const needed = {
    baseUrl: env.required('BCB_BASE_URL', parse.httpsUrl, WHY),
    tokenUrl: env.required('BCB_TOKEN_URL', parse.httpsUrl, WHY),
    clientId: env.required('BCB_CLIENT_ID', (text) => text, WHY),
    clientSecret: env.required('BCB_CLIENT_SECRET', (text) => text, WHY),
    clientCertificate: env.required('BCB_CLIENT_CERT', certificate, WHY),
    clientKey: env.required('BCB_CLIENT_KEY', clientKey, WHY),
    webhookToken: env.required(
      'BCB_WEBHOOK_TOKEN',
      parse.matching(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, _ or -'),
      WHY,
    ),
  };
  if (!publicUrl.startsWith('https:')) env.demand('BCB_WEBHOOK_URL', `${WHY} where PUBLIC_URL is not https`);
  const optional = {
    authorities: env.optional('BCB_CA', certificate),
    webhookUrl: env.optional('BCB_WEBHOOK_URL', parse.httpsUrl) ?? publicUrl,
    timeoutMs: env.withDefault('BCB_TIMEOUT_MS', parse.integer(100, 9_000), 3_000),
    queryDays: env.withDefault('BCB_QUERY_DAYS', parse.integer(1, 90), 5),
    identifiesPayer: env.withDefault('BCB_IDENTIFIES_PAYER', parse.flag, false),
  };
  if (!isComplete(needed)) return undefined;
  if (!new X509Certificate(needed.clientCertificate).checkPrivateKey(createPrivateKey(needed.clientKey))) {
    env.problems.push('BCB_CLIENT_KEY: is not the key of BCB_CLIENT_CERT');
  }
  return { ...needed, ...optional };
}

type Found<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function isComplete<T extends object>(needed: T): needed is T & Found<T> {
  return Object.values(needed).every((value) => value !== undefined);
}

const certificate = parse.pem((text) => {
  const until = new Date(new X509Certificate(text).validTo);
  if (until < new Date()) throw new parse.RuleBroken(`the certificate is valid until ${until.toISOString()} only`);
}, 'must be certificates as PEM, or the path of a file of them');

const clientKey = parse.pem(
  (text) => void createPrivateKey(text),
  'must be a private key as PEM without a passphrase, or the path of a file of one',
);
