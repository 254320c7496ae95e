import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UnsupportedMediaType } from '../errors/index.js';
import { COMPRESSED, isJson, namesOtherCharset, NOT_JSON, ofBody, OTHER_CHARSET } from './body-faults.js';

export interface StreamedType {
  /** `text/csv` */
  readonly contentType: string;
  /** The one route that takes it, as Fastify names it: it reads the body itself, and bounds it. */
  readonly route: string;
}

/**
 * Hands bodies of these types to one route as streams. Guards run first: nothing is read of a caller that may not call.
 * Other types that this route is sent, JSON too, are its own to refuse. On every other route all these are refused as
 * before.
 */
export function acceptStreams(fastify: FastifyInstance, types: readonly StreamedType[]): void {
  const routes = new Set(types.map(({ route }) => route));
  for (const { contentType, route } of types) {
    fastify.addContentTypeParser(contentType, (request, body, done) => {
      const { 'content-encoding': encoding, 'content-type': given } = request.headers;
      if (routeOf(request) !== route) return done(refusal(NOT_JSON));
      if (encoding !== undefined && encoding !== 'identity') return done(refusal(COMPRESSED));
      if (namesOtherCharset(given)) return done(refusal(OTHER_CHARSET));
      return done(null, body);
    });
  }
  fastify.addContentTypeParser('*', (request, body, done) => {
    if (routes.has(routeOf(request))) done(null, body);
    else done(refusal(NOT_JSON));
  });
  // The parser of JSON would read it, and tell of JSON lines that they are no JSON, or more than a body of JSON may be.
  fastify.addHook('onRoute', (added) => {
    if (!routes.has(added.url)) return;
    added.preParsing = ({ raw: { headers } }, _reply, _body, next) => {
      if (isJson(headers['content-type'])) headers['content-type'] = UNPARSED;
      next();
    };
  });
}

/** No parser's. */
const UNPARSED = 'application/x-json-unparsed';

const routeOf = ({ routeOptions: { url = '' } }: FastifyRequest) => url.replace(/\/$/, '');
const refusal = (message: string) => ofBody(new UnsupportedMediaType(message));
