import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UnsupportedMediaType } from '../errors/index.js';
import { COMPRESSED, namesOtherCharset, NOT_JSON, ofBody, OTHER_CHARSET } from './body-faults.js';

export interface StreamedType {
  /** `text/csv` */
  readonly contentType: string;
  /** The one route that takes it, as Fastify names it: it reads the body itself, and bounds it. */
  readonly route: string;
}

/**
 * Hands bodies of these types to one route as streams. Guards run first: nothing is read of a caller that may not call.
 * On every other route the type is refused as before.
 */
export function acceptStreams(fastify: FastifyInstance, types: readonly StreamedType[]): void {
  for (const { contentType, route } of types) {
    fastify.addContentTypeParser(contentType, (request, body, done) => {
      const { 'content-encoding': encoding, 'content-type': given } = request.headers;
      if (routeOf(request) !== route) return done(refusal(NOT_JSON));
      if (encoding !== undefined && encoding !== 'identity') return done(refusal(COMPRESSED));
      if (namesOtherCharset(given)) return done(refusal(OTHER_CHARSET));
      return done(null, body);
    });
  }
  fastify.addContentTypeParser('*', (request, _body, done) => done(refusal(notTaken(types, request))));
  // JSON has a parser of its own: of JSON lines it would tell that they are no JSON, or more than a JSON body may have.
  fastify.addHook('onRoute', (added) => {
    if (!types.some(({ route }) => route === added.url)) return;
    added.preParsing = (request, _reply, _body, next) =>
      next(JSON_TYPE.test(request.headers['content-type'] ?? '') ? refusal(notTaken(types, request)) : null);
  });
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;

function notTaken(types: readonly StreamedType[], request: FastifyRequest): string {
  const taken = types.filter(({ route }) => routeOf(request) === route).map(({ contentType }) => contentType);
  return taken.length > 0 ? `The body must be one of ${taken.join(', ')}.` : NOT_JSON;
}

const routeOf = ({ routeOptions: { url = '' } }: FastifyRequest) => url.replace(/\/$/, '');
const refusal = (message: string) => ofBody(new UnsupportedMediaType(message));
