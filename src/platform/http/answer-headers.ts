import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from './shared-components.js';

const LIMITED = '/partners-int/';

const HEADERS = {
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds. Absent where the limit is off.',
    example: '"key";q=500;w=1',
  },
  RateLimit: {
    description:
      'What is left of it: `r` requests in the next `t` seconds. Absent where the limit is off, or the caller is not known.',
    example: '"key";r=499;t=1',
  },
};

/** Documents the fields of draft-ietf-httpapi-ratelimit-headers-11 on every answer of a limited route. */
export function describeRateLimits({ paths, components }: OpenAPIObject): void {
  components!.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [name, { ...header, schema: { type: 'string' } }]),
  );
  const ofAnswers = Object.fromEntries(
    Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  for (const [path, item] of Object.entries(paths)) {
    const operations = path.startsWith(LIMITED) ? METHODS.flatMap((method) => item[method] ?? []) : [];
    for (const { responses } of operations) {
      for (const answer of Object.values(responses)) Object.assign(answer!, { headers: { ...ofAnswers } });
    }
  }
}
