/**
 * Rows and events as text, for temporary files: JSON, in which values that JSON does not have are strings with a mark.
 * A string that begins with the mark is escaped.
 */
const MARK = '\x7f';
const MARK_CODE = MARK.charCodeAt(0);

export function encodeRow(value: unknown): string {
  return JSON.stringify(mark(value));
}

export function decodeRow(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Without any mark nothing needs to be decoded.
  return text.includes(MARK) ? unmark(value) : value;
}

function mark(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.charCodeAt(0) === MARK_CODE ? `${MARK}s${value}` : value;
    case 'bigint':
      return `${MARK}n${value}`;
    case 'object':
      return value === null ? null : markObject(value);
    default:
      return value;
  }
}

function markObject(value: object): unknown {
  if (Array.isArray(value)) return value.map(mark);
  if (value instanceof Date) return `${MARK}d${value.getTime()}`;
  if (Buffer.isBuffer(value)) return `${MARK}b${value.toString('base64')}`;
  const marked: Record<string, unknown> = {};
  for (const member in value) marked[member] = mark((value as Record<string, unknown>)[member]);
  return marked;
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === MARK_CODE ? unmarkText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  // In place: the object was just parsed, and nothing else refers to it.
  const members = value as Record<string, unknown>;
  for (const member in members) {
    const one = members[member];
    if (typeof one === 'string' ? one.charCodeAt(0) === MARK_CODE : typeof one === 'object') {
      members[member] = unmark(one);
    }
  }
  return members;
}

function unmarkText(text: string): unknown {
  const rest = text.slice(2);
  switch (text[1]) {
    case 'n':
      return BigInt(rest);
    case 'd':
      return new Date(Number(rest));
    case 'b':
      return Buffer.from(rest, 'base64');
    default:
      return rest;
  }
}
