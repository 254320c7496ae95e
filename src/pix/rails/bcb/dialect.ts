import type { ToldOfReceived } from '../pix-rail.js';

/** One entry of a notification: a hint which payment to ask for. */
export interface Notified {
  readonly endToEndId: string;
  /** Anybody may have written it. */
  readonly [member: string]: unknown;
}

/** What a refusal means for who asked. */
export type Meaning =
  /** The thing is not there. */
  | 'NotFound'
  /** Of this very request, which a repetition would meet again. */
  | 'Refused'
  /** Nothing that the request is to blame for: it is asked again later. */
  | 'Unavailable';

/** Where a PSP differs from the standard. */
export interface ApiPixDialect {
  /** OAuth 2 by the form of RFC 6749, or as JSON. */
  readonly tokenRequest: 'form' | 'json';
  readonly scopes: string;
  /** Meanings of the PSP's own words, before what the status says. */
  readonly words: Readonly<Record<string, Meaning>>;
  /** The body of a refund has more than its amount: a nature and a description. */
  readonly describesRefunds: boolean;
  /** What a notification says of a payment beyond the standard, and a look-up does not tell. */
  readonly told: (notified: Notified) => ToldOfReceived | undefined;
  /** Goes with the registration of the address for notifications. */
  readonly registrationHeaders: Readonly<Record<string, string>>;
}

export const API_PIX_DIALECT = Symbol('api pix dialect');

/** API Pix, `securitySchemes`. */
export const STANDARD: ApiPixDialect = {
  tokenRequest: 'form',
  scopes: 'cob.read cob.write pix.read pix.write webhook.read webhook.write',
  words: {},
  describesRefunds: true,
  told: () => undefined,
  registrationHeaders: {},
};

/** What a status says by itself; those that are not here may pass. */
const STATUSES: Readonly<Record<number, Meaning>> = {
  400: 'Refused',
  404: 'NotFound',
  409: 'Refused',
  410: 'NotFound',
  422: 'Refused',
};

export function meaningOf(status: number, kind: string, { words }: Pick<ApiPixDialect, 'words'>): Meaning {
  return words[kind] ?? STATUSES[status] ?? 'Unavailable';
}
