export interface HeaderFault {
  readonly path: 'customHeaderName' | 'customHeaderValue';
  readonly code: 'Required' | 'InvalidFormat' | 'TooLong' | 'NotAllowed';
  readonly message: string;
  readonly info?: Record<string, unknown>;
}

export const MAX_HEADER_NAME_LENGTH = 256;
export const MAX_HEADER_VALUE_LENGTH = 1024;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // RFC 9110 5.6.2
const VISIBLE_ASCII = /^[\x20-\x7e]*$/;

/** Headers of ours, of HTTP framing, and hop-by-hop ones (RFC 9110 7.6.1): they would change the request. */
const FORBIDDEN = new Set([
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const FORBIDDEN_PREFIXES = ['content-', 'proxy-', 'webhook-'];

/**
 * The faults of a request's custom header (contract decisions 8): both fields or none, a token for a name that the
 * client may set, a value of visible ASCII and spaces. Absent, null and empty are the same: not given.
 * @returns every fault, none where the header is good or not asked for; paths are relative to `webhook`
 */
export function customHeaderFaults(name: unknown, value: unknown): HeaderFault[] {
  const hasName = isGiven(name);
  const hasValue = isGiven(value);
  if (!hasName && !hasValue) return [];
  return [
    ...(hasName ? nameFaults(name) : [required('customHeaderName')]),
    ...(hasValue ? valueFaults(value) : [required('customHeaderValue')]),
  ];
}

/** The header that a valid pair asks for; `undefined` for none. */
export function customHeader(name?: string | null, value?: string | null) {
  return isGiven(name) && isGiven(value) ? { name, value } : undefined;
}

function nameFaults(name: unknown): HeaderFault[] {
  const path = 'customHeaderName';
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    return [{ path, code: 'InvalidFormat', message: 'Must be a header name: letters, digits and hyphens.' }];
  }
  if (name.length > MAX_HEADER_NAME_LENGTH) return [tooLong(path, MAX_HEADER_NAME_LENGTH)];
  // Gateways of the CGI kind read an underscore as a hyphen (RFC 3875 4.1.18).
  const known = name.toLowerCase().replaceAll('_', '-');
  if (FORBIDDEN.has(known) || FORBIDDEN_PREFIXES.some((prefix) => known.startsWith(prefix))) {
    return [{ path, code: 'NotAllowed', message: 'This header is set by the service itself.' }];
  }
  return [];
}

function valueFaults(value: unknown): HeaderFault[] {
  const path = 'customHeaderValue';
  if (typeof value !== 'string' || !VISIBLE_ASCII.test(value)) {
    return [{ path, code: 'InvalidFormat', message: 'Must consist of visible ASCII characters and spaces.' }];
  }
  return value.length > MAX_HEADER_VALUE_LENGTH ? [tooLong(path, MAX_HEADER_VALUE_LENGTH)] : [];
}

function isGiven<T>(member: T | null | undefined): member is T {
  return member !== undefined && member !== null && (typeof member !== 'string' || member.trim() !== '');
}

function required(path: HeaderFault['path']): HeaderFault {
  const message = 'A custom header needs both its name and its value.';
  return { path, code: 'Required', message, info: { missingProperty: path } };
}

function tooLong(path: HeaderFault['path'], maximum: number): HeaderFault {
  return { path, code: 'TooLong', message: `Must not be longer than ${maximum} characters.`, info: { maximum } };
}
