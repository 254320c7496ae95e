import type { Secrets } from './secrets.js';

/** Words of examples and typed secrets; short ones as whole words only, since random text has them too. */
const WORDS =
  /change.?me|password|passwd|secret|example|default|placeholder|insecure|qwerty|letmein|123456|abcdef|operator|payment|(?<![a-z0-9])(test|demo|token|admin)(?![a-z0-9])/i;
/** Sixteen random bytes have more, written in hexadecimal or in any larger alphabet. */
const LEAST_DISTINCT_CHARACTERS = 8;
/** 32 random bytes have fewer different ones about once in 10^15. */
const LEAST_DISTINCT_BYTES = 20;
const LEAST_ADMIN_TOKEN = 24;
const LEAST_DATABASE_PASSWORD = 12;

const HOW = 'make one with: openssl rand -base64 32';

/**
 * Well-formed secrets that production mode refuses: short ones, those made of words or repetitions, and reused ones. It
 * is no test of randomness; it finds what was left from an example or typed by hand.
 * @returns a message for each, beginning with the name of the setting
 */
export function weakSecrets(
  secrets: Partial<Secrets>,
  databaseUrls: Readonly<Record<string, string | undefined>>,
): string[] {
  return [
    ...adminProblems(secrets.adminTokens ?? []),
    ...named('JWT_SECRET', secrets.jwtSecret === undefined ? [] : textProblems(secrets.jwtSecret)),
    ...named('KEY_PEPPER', secrets.keyPepper ? keyProblems(secrets.keyPepper) : []),
    ...named('MASTER_KEY', secrets.masterKey ? keyProblems(secrets.masterKey) : []),
    ...Object.entries(databaseUrls).flatMap(([name, url]) =>
      named(name, url === undefined ? [] : passwordProblems(url)),
    ),
    ...sharedProblems(secrets),
  ];
}

function adminProblems(tokens: Secrets['adminTokens']): string[] {
  const problems = tokens.flatMap(({ token }) =>
    token.length < LEAST_ADMIN_TOKEN
      ? [`needs at least ${LEAST_ADMIN_TOKEN} characters a token in production`]
      : textProblems(token),
  );
  const isShared = new Set(tokens.map(({ token }) => token)).size < tokens.length;
  return named('ADMIN_TOKEN', [...new Set(problems), ...(isShared ? ['one token must not have two names'] : [])]);
}

function textProblems(text: string): string[] {
  if (WORDS.test(text)) return [`must not be made of words in production; ${HOW}`];
  return new Set(text).size < LEAST_DISTINCT_CHARACTERS ? [`repeats itself; ${HOW}`] : [];
}

function keyProblems(key: Buffer): string[] {
  if (key.every((byte) => byte >= 0x20 && byte <= 0x7e))
    return [`must be random bytes, not text, in production; ${HOW}`];
  const isCounted = key.every((byte, i) => i < 2 || ((byte - key[i - 1]!) & 0xff) === ((key[1]! - key[0]!) & 0xff));
  return isCounted || new Set(key).size < LEAST_DISTINCT_BYTES ? [`repeats itself; ${HOW}`] : [];
}

/** An absent password is given elsewhere, or not needed: certificate, peer, `PGPASSFILE`. */
function passwordProblems(databaseUrl: string): string[] {
  const { username, password: inFront, pathname, searchParams } = new URL(databaseUrl);
  // As pg does: a parameter takes precedence over the user info, the last of several.
  const parameter = (name: string) => searchParams.getAll(name).at(-1);
  const password = parameter('password') || decoded(inFront);
  if (password === '') return [];
  const names = [parameter('user') || decoded(username), decoded(pathname.slice(1))];
  const isGuessable = names.includes(password) || WORDS.test(password);
  if (isGuessable) return ['its password must not be a default or made of words in production'];
  const isShort = password.length < LEAST_DATABASE_PASSWORD;
  return isShort ? [`its password needs at least ${LEAST_DATABASE_PASSWORD} characters in production`] : [];
}

/** A `%` that begins no escape is literal, as for pg. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sharedProblems({ adminTokens = [], jwtSecret, keyPepper, masterKey }: Partial<Secrets>): string[] {
  return [
    ...(keyPepper && masterKey?.equals(keyPepper) ? ['MASTER_KEY: must not be the same as KEY_PEPPER'] : []),
    ...(adminTokens.some(({ token }) => token === jwtSecret)
      ? ['JWT_SECRET: must not be the same as ADMIN_TOKEN']
      : []),
  ];
}

function named(setting: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${setting}: ${problem}`);
}
