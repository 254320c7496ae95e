/** OpenAPI schemas of common fields. */

export const UUID = { type: 'string', format: 'uuid', example: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e' } as const;
export const MOMENT = { type: 'string', format: 'date-time', example: '2026-11-20T14:04:05.123Z' } as const;
export const AMOUNT = { type: 'string', pattern: String.raw`^-?\d+\.\d{2}$`, example: '10.50' } as const;
export const WHOLE = { type: 'integer' } as const;
/** A log position or a number of events: as text, since it may exceed the exact integers of JSON. */
export const POSITION = { type: 'string', pattern: String.raw`^\d+$`, example: '8' } as const;
/** A hash, base64. */
export const HASH = {
  type: 'string',
  pattern: '^[A-Za-z0-9+/]{43}=$',
  example: 'XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=',
} as const;
