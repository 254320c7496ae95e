import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ValidationError } from '../errors/index.js';

/** The deepest body of the API has five levels; far deeper ones are made to exhaust recursive code. */
const MAX_DEPTH = 32;
/** Of a reported path: unknown fields may have any name. */
const LONGEST_PATH = 200;

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const LONE_ESCAPE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * Bodies are JSON in UTF-8. An empty body is allowed: routes without a body are called with the JSON headers too. A
 * lone surrogate is a fault: it can be neither compared nor stored as UTF-8. So is a number beyond the range of
 * doubles: it would be infinite, which canonical JSON cannot express.
 */
export function acceptOnlyJson(fastify: FastifyInstance): void {
  // `__proto__` and `constructor.prototype` are unknown members: ignored (decisions 1), and removed before other code
  // reads the body.
  const parseJson = fastify.getDefaultJsonParser('remove', 'remove');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes as Buffer)) return done(refused('', 'InvalidFormat', 'the body must be UTF-8'), undefined);
    const body = bytes.toString();
    // RFC 8259, 8.1: a byte order mark is not allowed, and parsers treat it differently.
    if (body.startsWith('\ufeff')) return done(new SyntaxError('a byte order mark'), undefined);
    if (hasLoneSurrogate(body)) return done(new SyntaxError('a lone surrogate'), undefined);
    void parseJson(request, body, (error, parsed: unknown) => {
      done(error ?? faultIn(parsed, '', MAX_DEPTH) ?? null, parsed);
    });
  });
}

/** The first unacceptable value at any depth. */
function faultIn(value: unknown, path: string, levels: number): ValidationError | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return refused(path.slice(0, LONGEST_PATH), 'InvalidFormat', 'must be a number that a double can hold');
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) {
    const info = { maximum: MAX_DEPTH };
    return refused('', 'TooDeep', `must not be nested deeper than ${MAX_DEPTH} levels`, info);
  }
  for (const member in value) {
    const inner = (value as Record<string, unknown>)[member];
    // Strings, as nearly all fields are, cost no call.
    if (typeof inner === 'string') continue;
    const fault = faultIn(inner, path === '' ? member : `${path}.${member}`, levels - 1);
    if (fault) return fault;
  }
  return undefined;
}

function refused(path: string, code: string, message: string, info: Record<string, unknown> = {}): ValidationError {
  return new ValidationError([{ path, code, message, info }]);
}

/** `JSON.stringify` escapes only lone surrogates. Bodies without an escape cost one scan. */
export function hasLoneSurrogate(json: string): boolean {
  if (!SURROGATE_ESCAPE.test(json)) return false;
  try {
    return LONE_ESCAPE.test(JSON.stringify(JSON.parse(json)));
  } catch {
    return false;
  }
}
