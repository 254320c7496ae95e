import { createHmac } from 'node:crypto';
import { SETTINGS } from './service.js';

type Part = Readonly<Record<string, unknown>>;

const DIGESTS: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** A JSON Web Token made by hand: any header, any claims, signed with any secret, or not at all. */
function jwt(header: Part, claims: Part, secret?: string): string {
  const part = (value: Part) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ typ: 'JWT', ...header })}.${part(claims)}`;
  const digest = DIGESTS[String(header.alg)] ?? 'sha256';
  return `${signed}.${secret === undefined ? '' : createHmac(digest, secret).update(signed).digest('base64url')}`;
}

/** Tokens that are none of ours, made from one that is, by what is wrong with them. */
export function forgedTokens(token: string, otherKey: string): Readonly<Record<string, string>> {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Part;
  const ours = SETTINGS.JWT_SECRET;
  const now = Math.floor(Date.now() / 1000);
  const hs256 = { alg: 'HS256' };
  const other = Buffer.from(JSON.stringify({ ...claims, sub: otherKey })).toString('base64url');
  return {
    'signed by nobody (alg none)': jwt({ alg: 'none' }, claims),
    'signed by nobody (alg None)': jwt({ alg: 'None' }, claims),
    'alg none with a signature': `${jwt({ alg: 'none' }, claims)}${signature}`,
    'without its signature': `${header}.${payload}.`,
    'with another subject under the old signature': `${header}.${other}.${signature}`,
    'with a byte of the signature changed': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'signed with another secret': jwt(hs256, claims, 'another secret of more than thirty-two characters'),
    'signed with an empty secret': jwt(hs256, claims, ''),
    'signed with another digest (HS384)': jwt({ alg: 'HS384' }, claims, ours),
    'signed with another digest (HS512)': jwt({ alg: 'HS512' }, claims, ours),
    'signed as if RSA': jwt({ alg: 'RS256' }, claims, ours),
    'naming its own key (jwk)': jwt(
      { ...hs256, jwk: { kty: 'oct', k: 'AAAA' }, kid: '../../dev/null' },
      claims,
      '\0\0\0',
    ),
    expired: jwt(hs256, { ...claims, iat: now - 3_700, exp: now - 100 }, ours),
    'expired a second ago': jwt(hs256, { ...claims, exp: now - 1 }, ours),
    'not valid yet': jwt(hs256, { ...claims, nbf: now + 600 }, ours),
    'for another audience': jwt(hs256, { ...claims, aud: 'another-api' }, ours),
    'by another issuer': jwt(hs256, { ...claims, iss: 'somebody' }, ours),
    'of a key that does not exist': jwt(hs256, { ...claims, sub: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e' }, ours),
    'of no key': jwt(hs256, { ...claims, sub: "' or 1=1 --" }, ours),
    'of a key that is no text': jwt(hs256, { ...claims, sub: { $ne: null } }, ours),
    'without a subject': jwt(hs256, { ...claims, sub: undefined }, ours),
    'without an end': jwt(hs256, { ...claims, exp: undefined }, ours),
    'of no parts': 'nonsense',
    'three dots': '...',
    'very long': `${'a'.repeat(6_000)}.${'b'.repeat(6_000)}.c`,
  };
}
