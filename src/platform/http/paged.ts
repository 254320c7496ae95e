import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { MAX_LIMIT } from './pagination.js';

/** Documents the query of a list: `limit`, `cursor`, and filters of its own. */
export function Paged(
  ...filters: { readonly name: string; readonly description: string; readonly enum?: readonly string[] }[]
) {
  return applyDecorators(
    ...filters.map(({ name, description, enum: values }) =>
      ApiQuery({
        name,
        description,
        required: false,
        schema: { type: 'string', ...(values && { enum: [...values] }) },
      }),
    ),
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 50 },
    }),
    ApiQuery({
      name: 'cursor',
      required: false,
      description: 'nextCursor of the page before',
      schema: { type: 'string' },
    }),
  );
}

/** The filters of lists that may be cut to a period. */
export const PERIOD = [
  { name: 'from', description: 'ISO 8601 date or date-time, inclusive' },
  { name: 'to', description: 'ISO 8601 date or date-time, exclusive' },
] as const;
