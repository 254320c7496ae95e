import { getSchemaPath } from '@nestjs/swagger';
import type { Dto } from './rules.js';

const header = (name: string, description: string, schema: object) => ({
  ...{ name, in: 'header' as const, required: true, description },
  schema: { type: 'string', ...schema },
});

/** A message that is sent to partners, for the OpenAPI document: signed as of Standard Webhooks. */
export const signedMessage = (body: Dto, summary: string, description: string) => ({
  post: {
    summary,
    description: `${description}, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.`,
    security: [],
    parameters: [
      header('webhook-id', 'The same on every attempt', { format: 'uuid' }),
      header('webhook-timestamp', 'Of this attempt, in seconds since 1970', { pattern: String.raw`^\d+$` }),
      header('webhook-signature', 'HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid', {
        pattern: String.raw`^v1,[\w+/]+={0,2}( v1,[\w+/]+={0,2})*$`,
      }),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: getSchemaPath(body) } } } },
    responses: {
      '2XX': { description: 'Received' },
      410: { description: 'This delivery is not wanted: it is not retried' },
      default: { description: 'Not received: it is retried' },
    },
  },
});
