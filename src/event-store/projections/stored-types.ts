/** How a member is stored. `hex` is bytes that the row has in hexadecimal; `bigint` is one in the row too. */
export type StoredType =
  | 'uuid'
  | 'text'
  | 'bigint'
  | 'int'
  | 'boolean'
  | 'timestamptz'
  | 'json'
  | 'jsonb'
  | 'hex'
  | 'text[]';

interface StoredForm {
  /** What PostgreSQL calls the type. */
  readonly sql: string;
  /** Sorts before every key, as a parameter's text. Absent: the type is in no key. */
  readonly first?: string;
  readonly encode: (value: unknown) => unknown;
  readonly decode: (value: unknown) => unknown;
  /** As PostgreSQL writes it in sums. */
  readonly text: (value: unknown) => string;
}

const same = (value: unknown) => value;
const asText = (value: unknown) => (value as string | number | bigint | boolean).toString();

const plain = (sql: string, first?: string): StoredForm => ({
  sql,
  first,
  encode: same,
  decode: same,
  text: asText,
});

const document = (sql: string): StoredForm => ({
  ...plain(sql),
  encode: (value) => JSON.stringify(value),
  text: (value) => JSON.stringify(value),
});

export const STORED: { readonly [T in StoredType]: StoredForm } = {
  uuid: plain('uuid', '00000000-0000-0000-0000-000000000000'),
  text: plain('text', ''),
  int: plain('int', '0'),
  boolean: plain('boolean'),
  'text[]': plain('text[]'),
  bigint: { ...plain('bigint', '0'), decode: (value) => BigInt(value as string) },
  // PostgreSQL and ECMAScript both write a double in the fewest digits that give it back.
  timestamptz: { ...plain('timestamptz'), text: (value) => String((value as Date).getTime() / 1000) },
  hex: {
    ...plain('bytea', '\\x'),
    encode: (value) => Buffer.from(value as string, 'hex'),
    decode: (value) => (value as Buffer).toString('hex'),
    text: (value) => `\\x${value as string}`,
  },
  json: document('json'),
  jsonb: document('jsonb'),
};
