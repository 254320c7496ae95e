import type { PaymentInExtras } from '../pix-rail.js';

/** One entry of a notification: a hint which payment to look up. */
export interface Notified {
  readonly endToEndId: string;
  /** Not authenticated. */
  readonly [member: string]: unknown;
}

/** What a refusal means for the caller. */
export type Meaning =
  /** What was asked for does not exist. */
  | 'NotFound'
  /** This request is refused for good. */
  | 'Refused'
  /** Our identifier was used: what was asked for is there already, even if a look-up does not find it yet. */
  | 'Duplicate'
  /** Not the request's fault: to be retried later. */
  | 'Unavailable';

/** Where a PSP differs from the standard. */
export interface ApiPixDialect {
  /** The OAuth 2 request: form-encoded (RFC 6749), or JSON. */
  readonly tokenRequest: 'form' | 'json';
  readonly scopes: string;
  /** Meanings of the PSP's error names; they go before that of the status. */
  readonly meanings: Readonly<Record<string, Meaning>>;
  /** The body of a refund has a nature and a description beside its amount. */
  readonly describesRefunds: boolean;
  /** Details of a payment that only the PSP's notification has, beyond the standard. */
  readonly extras: (notified: Notified) => PaymentInExtras | undefined;
  /** Asked with payments received, one or a list of them. */
  readonly receivedQuery: Readonly<Record<string, string>>;
  /** Headers of the registration of our webhook. */
  readonly registrationHeaders: Readonly<Record<string, string>>;
}

export const API_PIX_DIALECT = Symbol('api pix dialect');

/** API Pix, `securitySchemes`. */
export const STANDARD: ApiPixDialect = {
  tokenRequest: 'form',
  scopes: 'cob.read cob.write pix.read pix.write webhook.read webhook.write',
  meanings: {},
  describesRefunds: true,
  extras: () => undefined,
  receivedQuery: {},
  registrationHeaders: {},
};

/** Meanings of HTTP statuses; all others are `Unavailable`. */
const STATUSES: Readonly<Record<number, Meaning>> = {
  400: 'Refused',
  404: 'NotFound',
  409: 'Refused',
  410: 'NotFound',
  422: 'Refused',
};

export function meaningOf(status: number, kind: string, { meanings }: Pick<ApiPixDialect, 'meanings'>): Meaning {
  const named = Object.hasOwn(meanings, kind) ? meanings[kind] : undefined;
  return named ?? STATUSES[status] ?? 'Unavailable';
}
