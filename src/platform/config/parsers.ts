import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseIspb } from '../ispb.js';
import type { Parser } from './environment.js';

/** Parsers of settings. Each throws an error with the rule as its message; the reader adds the setting's name. */

export function integer(minimum: number, maximum: number): Parser<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };
}

export const ratio: Parser<number> = (text) => {
  if (!/^(0|1|[01]?\.\d+)$/.test(text) || Number(text) > 1) throw new Error('must be a number from 0 to 1');
  return Number(text);
};

export const flag: Parser<boolean> = (text) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new Error('must be true or false');
};

/** Whether it is production mode. What only resembles its name starts no service with secrets that it makes itself. */
export const production: Parser<boolean> = (text) => {
  if (text !== 'production' && /^prod/i.test(text)) throw new Error('must be production, in this spelling');
  return text === 'production';
};

export function oneOf<T extends string>(...allowed: readonly T[]): Parser<T> {
  return (text) => {
    if (!allowed.includes(text as T)) throw new Error(`must be one of ${allowed.join(', ')}`);
    return text as T;
  };
}

export function matching(pattern: RegExp, rule: string): Parser<string> {
  return (text) => {
    if (!pattern.test(text)) throw new Error(rule);
    return text;
  };
}

/** Where to listen. */
export const host: Parser<string> = (text) => {
  if (isIP(text) === 0 && !/^[\w.-]+$/.test(text)) throw new Error('must be an address or the name of a host');
  return text;
};

export const ispb: Parser<string> = (text) => {
  const parsed = parseIspb(text);
  if (parsed === undefined) throw new Error('must be an ISPB, eight digits or letters');
  return parsed;
};

export const key32: Parser<Buffer> = (text) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32 || !/^[A-Za-z0-9+/]{43}=$/.test(text)) throw new Error('must be base64 of 32 bytes');
  return bytes;
};

/** Paths are appended to its text: what `URL` would forgive, such as an empty query or a line break, is refused too. */
export const url: Parser<string> = (text) => {
  if (!/^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i.test(text) || !URL.canParse(text)) {
    throw new Error('must be an http or https address without user, query or fragment');
  }
  return text.replace(/\/+$/, '');
};

export const httpsUrl: Parser<string> = (text) => {
  if (!/^https:\/\//i.test(text)) throw new Error('must be an https address');
  return url(text);
};

/** A check's message for a value of the right kind; any other error means another kind. */
export class RuleBroken extends Error {}

/** PEM: the text itself (line breaks may be written `\n`), or the path of a file that holds it. */
export function pem(check: (text: string) => void, rule: string): Parser<string> {
  return (text) => {
    try {
      const found = text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : readFileSync(text, 'utf8');
      check(found);
      return found;
    } catch (error) {
      throw error instanceof RuleBroken ? error : new Error(rule);
    }
  };
}

export const databaseUrl: Parser<string> = (text) => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) throw new Error('must be a postgres:// address');
  return text;
};

/** PKCS#8, as PEM or as base64 of its DER. */
export const privateKey: Parser<KeyObject> = (text) => {
  try {
    return text.includes('-----BEGIN')
      ? createPrivateKey(text.replaceAll('\\n', '\n'))
      : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    throw new Error('must be a PKCS#8 private key, as PEM or as base64 of its DER');
  }
};

export const networks: Parser<readonly string[]> = (text) =>
  text.split(',').map((entry) => {
    const [address = '', prefix, more] = entry.trim().split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    if (family === 0 || more !== undefined || (prefix !== undefined && !(/^\d+$/.test(prefix) && +prefix <= longest))) {
      throw new Error('must be addresses or networks (CIDR), separated by commas');
    }
    return `${address}/${Number(prefix ?? longest)}`;
  });

/** As the guard of outbound requests reads them: an address with a zone is of this machine alone. */
export const outboundNetworks: Parser<readonly string[]> = (text) => {
  const parsed = networks(text);
  if (text.includes('%')) throw new Error('must be addresses or networks (CIDR) without zones, separated by commas');
  return parsed;
};

/** Not every address: whoever connects could say that he is somebody else. */
export const proxies: Parser<readonly string[]> = (text) => {
  const parsed = networks(text);
  if (parsed.some((network) => network.endsWith('/0')))
    throw new Error('must not have the prefix 0, which is everybody');
  return parsed;
};

/** Parts between commas, spaces or ends of lines. */
export const words: Parser<readonly string[]> = (text) => text.split(/[\s,]+/).filter((word) => word !== '');

export interface AdminToken {
  readonly name: string;
  readonly token: string;
}

/** One token, or several as `name:token` separated by commas. The name is the actor in the event log. */
export const adminTokens: Parser<readonly AdminToken[]> = (text) =>
  text.split(',').map((entry) => {
    const [, name = 'operator', token = ''] = /^(?:([A-Za-z][\w.-]*):)?(\S+)$/.exec(entry.trim()) ?? [];
    if (!token) throw new Error('must be a token, or several as name:token separated by commas');
    return { name, token };
  });
