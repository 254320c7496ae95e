/** A posting as stored in an event: centavos, signed. */
export interface Posting {
  readonly account: string;
  readonly system?: string;
  readonly bucket: string;
  readonly amount: string;
  readonly entry: number;
  readonly balance: string;
}

export interface EventMetadata {
  readonly actor?: string;
  readonly requestId?: string;
  readonly causation?: string;
}

/**
 * Parses the stored texts of an event. Ciphertext is replaced by a short text; nothing else is left out. Text of an
 * unexpected form is shown as it is.
 */
export function readEvent(data: string, metadata: string) {
  const parsed = parse(data);
  const found = isObject(parsed) ? parsed['postings'] : undefined;
  return {
    postings: Array.isArray(found) ? (found.filter(isPosting) as unknown as readonly Posting[]) : [],
    metadata: onlyTexts(parse(metadata)),
    payload: parsed === undefined ? data : JSON.stringify(withoutCiphertext(parsed), null, 2),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutCiphertext(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCiphertext);
  if (!isObject(value)) return value;
  if (typeof value['sealed'] === 'string' && typeof value['subject'] === 'string') {
    return `(sealed personal data of subject ${value['subject']})`;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutCiphertext(member)]));
}

function onlyTexts(value: unknown): EventMetadata {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member === 'string'));
}

function isPosting(value: unknown): boolean {
  return isObject(value) && typeof value['account'] === 'string' && /^-?\d+$/.test(String(value['amount']));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
