import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from './shared-components.js';

const LIMITED = '/partners-int/';

const OF_LIMITS = {
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds. Absent where the limit is off.',
    example: '"key";q=500;w=1',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'What is left of it: `r` requests in the next `t` seconds. Absent where the limit is off, or the caller is not known.',
    example: '"key";r=499;t=1',
    schema: { type: 'string' },
  },
};

const RETRY = {
  'Retry-After': {
    description: 'Seconds to wait before the next attempt',
    example: 1,
    schema: { type: 'integer', minimum: 1 },
  },
};

const REPLAY = {
  'Idempotent-Replayed': {
    description: 'There where this is the first answer to the `Idempotency-Key` again; of a batch, to each of its keys',
    example: 'true',
    schema: { type: 'string', enum: ['true'] },
  },
};

/**
 * Documents the headers that a caller acts upon: those of draft-ietf-httpapi-ratelimit-headers-11 on every answer of a
 * limited route, when to try again, and what was done before.
 */
export function describeHeaders({ paths, components }: OpenAPIObject): void {
  Object.assign(components!, { headers: { ...OF_LIMITS, ...RETRY, ...REPLAY } });
  for (const [path, item] of Object.entries(paths)) {
    for (const { parameters = [], responses } of METHODS.flatMap((method) => item[method] ?? [])) {
      const idempotent = parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key');
      for (const [status, answer] of Object.entries(responses)) {
        const names = Object.keys({
          ...(path.startsWith(LIMITED) && OF_LIMITS),
          ...((status === '429' || status === '503') && RETRY),
          ...(idempotent && Number(status) < 300 && REPLAY),
        });
        const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
        if (names.length > 0) Object.assign(answer!, { headers });
      }
    }
  }
}
