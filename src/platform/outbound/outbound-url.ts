import { isIP } from 'node:net';
import {
  type AddressPolicy,
  isAllowedAddress,
  isLoopbackName,
  LOOPBACK_ADDRESSES,
  type OutboundProtocol,
} from './address-policy.js';

export interface UrlFault {
  readonly code: 'InvalidFormat' | 'TooLong' | 'NotAllowed';
  readonly message: string;
}

export type UrlCheck = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly fault: UrlFault };

export const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 253; // RFC 1035 2.3.4, without the root's dot

/**
 * Names that are never public: RFC 6762 (local), RFC 8375 (home.arpa), RFC 7686 (onion), RFC 6761 (invalid), ICANN 2024
 * (internal).
 */
const PRIVATE_SUFFIXES = ['.local', '.localdomain', '.internal', '.home.arpa', '.onion', '.invalid'];

// WHATWG URL silently strips tabs and newlines, and reads a backslash as a slash; another parser would not.
const UNSAFE = /[\p{Cc}\p{White_Space}\\]/u;
const AUTHORITY = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;

/**
 * Checks a webhook's or a charge's URL by its text alone (contract decisions 8); each attempt checks again, with DNS.
 * Literal addresses are checked in every spelling that URL parses: decimal, octal, hex, short, IPv6-mapped, full-width.
 * @returns the parsed URL, or the first fault, for `error.details`
 */
export function checkOutboundUrl(text: string, policy: AddressPolicy): UrlCheck {
  if (text.length > MAX_URL_LENGTH) {
    return fault('TooLong', `The URL must not be longer than ${MAX_URL_LENGTH} characters.`);
  }
  const [, , authority] = AUTHORITY.exec(text) ?? [];
  if (UNSAFE.test(text) || authority === undefined || !URL.canParse(text)) {
    return fault('InvalidFormat', 'Must be an absolute URL, without spaces, control characters or backslashes.');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return schemeFault();
  if (authority.includes('@')) return fault('NotAllowed', 'The URL must not contain a user name or password.');
  if (!isAllowedPort(url)) return fault('NotAllowed', 'The port must be 443, or 1024 and above.');
  return checkHost(url, url.protocol, policy);
}

/** The URL's host for dialling: an IPv6 literal without brackets. */
function dialledHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function checkHost(url: URL, protocol: OutboundProtocol, policy: AddressPolicy): UrlCheck {
  const host = dialledHost(url);
  const literals = isIP(host) !== 0 ? [host] : isLoopbackName(host) ? LOOPBACK_ADDRESSES : undefined;
  if (literals !== undefined) {
    if (literals.some((ip) => isAllowedAddress(ip, policy, protocol))) return { ok: true, url };
    // The address would be allowed over https: the fault is its scheme.
    const onlyScheme = literals.some((ip) => isAllowedAddress(ip, policy));
    return onlyScheme ? schemeFault() : hostFault();
  }
  if (!isPublicName(host)) return hostFault();
  return protocol === 'https:' || policy.allowHttp ? { ok: true, url } : schemeFault();
}

function isPublicName(host: string): boolean {
  // A trailing dot is the same name under another key: it would escape the suffix rule and certificate names.
  if (host.length > MAX_NAME_LENGTH || host.endsWith('.') || !host.includes('.')) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

function isAllowedPort(url: URL): boolean {
  // Port 80 passes here with http only, where URL drops it as the default; the scheme is checked with the host.
  const port = url.port === '' ? 443 : Number(url.port);
  return port === 443 || port >= 1024;
}

function schemeFault(): UrlCheck {
  return fault('NotAllowed', 'The URL must begin with https://.');
}

function hostFault(): UrlCheck {
  return fault('NotAllowed', 'The host must be a public domain name or a public address.');
}

function fault(code: UrlFault['code'], message: string): UrlCheck {
  return { ok: false, fault: { code, message } };
}
