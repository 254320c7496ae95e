import type { FastifyInstance } from 'fastify';
import { ValidationError } from '../errors/index.js';

/** The deepest body of ours has five levels; what is far deeper is made to exhaust whoever walks through it. */
const MAX_DEPTH = 32;

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const LONE_ESCAPE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * Bodies are JSON and nothing else. An empty body is no fault: routes without a body are called with the JSON headers
 * too. Half a surrogate pair is one: it is no character, so it can be neither compared nor stored as UTF-8.
 */
export function acceptOnlyJson(fastify: FastifyInstance): void {
  // `__proto__` and `constructor.prototype` are unknown members: ignored (decisions 1), and taken out before anybody walks by.
  const parseJson = fastify.getDefaultJsonParser('remove', 'remove');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (hasLoneSurrogate(body as string)) return done(new SyntaxError('a lone surrogate'), undefined);
    void parseJson(request, body as string, (error, parsed: unknown) => {
      if (!error && isDeeperThan(MAX_DEPTH, parsed)) return done(tooDeep(), undefined);
      done(error, parsed);
    });
  });
}

function tooDeep(): ValidationError {
  const message = `must not be nested deeper than ${MAX_DEPTH} levels`;
  return new ValidationError([{ path: '', code: 'TooDeep', message, info: { maximum: MAX_DEPTH } }]);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** `JSON.stringify` writes only surrogates without a partner as escapes. Bodies without any escape cost one scan. */
function hasLoneSurrogate(json: string): boolean {
  if (!SURROGATE_ESCAPE.test(json)) return false;
  try {
    return LONE_ESCAPE.test(JSON.stringify(JSON.parse(json)));
  } catch {
    return false;
  }
}
