import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { type FaultDetail, UnsupportedMediaType, ValidationError } from '../errors/index.js';
import { BODY_LIMIT, ByteBudget } from './byte-budget.js';
import { COMPRESSED, namesOtherCharset, ofBody, OTHER_CHARSET } from './body-faults.js';
import { networkOf } from './network-of.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Members and elements of the body. */
    members: number;
  }
}

/** The deepest body of the API has five levels; far deeper ones are made to exhaust recursive code. */
const MAX_DEPTH = 32;
/** A batch of 500 payouts with every member has 13,002; what has far more is made to occupy the process. */
const MAX_MEMBERS = 20_000;
/** So many are as good as none. Of more each takes about so many bytes until the answer: ten times its text. */
const FEW_MEMBERS = 1_000;
const BYTES_OF_MEMBER = 64;
const MIB = 1024 * 1024;
/** Of a reported path: unknown fields may have any name. */
const LONGEST_PATH = 200;

const NOT_UTF8: FaultDetail = { path: '', code: 'InvalidFormat', message: 'the body must be UTF-8', info: {} };
const INFINITE: FaultDetail = { ...NOT_UTF8, message: 'must be a number that a double can hold' };
const TOO_DEEP: FaultDetail = {
  path: '',
  code: 'TooDeep',
  message: `must not be nested deeper than ${MAX_DEPTH} levels`,
  info: { maximum: MAX_DEPTH },
};

const TOO_MANY: FaultDetail = {
  path: '',
  code: 'TooMany',
  message: `must not have more than ${MAX_MEMBERS} members and elements`,
  info: { maximum: MAX_MEMBERS },
};

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
  boundMembers(fastify);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    const { 'content-encoding': encoding, 'content-type': type } = request.headers;
    if (encoding !== undefined && encoding !== 'identity') return done(ofBody(new UnsupportedMediaType(COMPRESSED)));
    if (namesOtherCharset(type)) return done(ofBody(new UnsupportedMediaType(OTHER_CHARSET)));
    if (!isUtf8(bytes as Buffer)) return done(ofBody(new ValidationError([NOT_UTF8])), undefined);
    const body = bytes.toString();
    // RFC 8259, 8.1: a byte order mark is not allowed, and parsers treat it differently.
    if (body.startsWith('\ufeff')) return done(ofBody(new SyntaxError('a byte order mark')), undefined);
    if (hasLoneSurrogate(body)) return done(ofBody(new SyntaxError('a lone surrogate')), undefined);
    void parseJson(request, body, (error, parsed: unknown) => {
      if (error) return done(ofBody(error), undefined);
      const left = { members: MAX_MEMBERS };
      const fault = faultIn(parsed, MAX_DEPTH, left);
      if (fault) return done(ofBody(new ValidationError([fault])));
      request.members = MAX_MEMBERS - left.members;
      done(null, parsed);
    });
  });
}

/**
 * Bounds the memory of parsed bodies of thousands of members, of all callers and of one network, where a route does not
 * bound its bodies by itself. Unknown members are ignored, so that no body is refused for a few of them.
 */
function boundMembers(fastify: FastifyInstance): void {
  const budget = new ByteBudget({ ofAll: 32 * MIB, ofOne: 8 * MIB });
  fastify.decorateRequest('members', 0);
  fastify.addHook('preValidation', (request, reply, next) => {
    const { members, routeOptions } = request;
    if (members > FEW_MEMBERS && routeOptions.bodyLimit <= BODY_LIMIT) {
      budget.takeUntilAnswered(reply.raw, networkOf(request.ip), members * BYTES_OF_MEMBER);
    }
    next();
  });
}

/** The first unacceptable value at any depth. A path is made for a fault alone: a batch has a thousand members. */
function faultIn(value: unknown, levels: number, left: { members: number }): FaultDetail | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return INFINITE;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return TOO_DEEP;
  const members = Object.values(value);
  left.members -= members.length;
  if (left.members < 0) return TOO_MANY;
  for (let i = 0; i < members.length; i += 1) {
    // Strings, as nearly all fields are, cost no call.
    if (typeof members[i] === 'string') continue;
    const fault = faultIn(members[i], levels - 1, left);
    if (fault) return fault === TOO_DEEP || fault === TOO_MANY ? fault : within(Object.keys(value)[i]!, fault);
  }
  return undefined;
}

function within(member: string, fault: FaultDetail): FaultDetail {
  const path = fault === INFINITE ? member : `${member}.${fault.path}`;
  return { ...fault, path: path.slice(0, LONGEST_PATH) };
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
