import fc from 'fast-check';

/** Values that break things, wherever they stand; by what they are, so that a failure says which one did. */
export const HOSTILE: Readonly<Record<string, unknown>> = {
  null: null,
  'an empty text': '',
  zero: 0,
  'a negative number': -1,
  'a huge number': 1e308,
  true: true,
  'an empty list': [],
  'an empty object': {},
  SQL: `' or 1=1; drop table event; --`,
  'more SQL': `"\\'); select pg_sleep(10); /*`,
  'a LIKE pattern': '%_%',
  'a NUL': 'a\u0000b',
  'a line break': 'a\r\nset-cookie: x=1',
  'a control character': 'a\u0085\u001bb',
  'half a surrogate pair': 'a\ud800b',
  'the other half': '\udc00',
  'a bidirectional override': 'a\u202eb',
  'no character': '\uffff',
  markup: '<script>alert(1)</script>',
  'a path': '../../../../etc/passwd',
  'a template': '${7*7}{{7*7}}',
  'digits of another script': '٠١٢٣٤٥٦٧٨٩',
  'an amount of zero': '0.00',
  'a negative amount': '-1.00',
  'a huge amount': '9999999999999.99',
  'a long text': 'x'.repeat(5_000),
  'a list of ten thousand': Array(10_000).fill(0),
  'a name of the prototype': '__proto__',
  'a constructor': { constructor: {} },
  'members of the prototype': { toString: 1, valueOf: null, hasOwnProperty: 'x', length: -1 },
};

/** Dates that exist, and whose moment in UTC is of a year that ISO 8601, or PostgreSQL, writes in another way. */
export const EXTREME_MOMENTS = ['0000-01-01', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'] as const;

const SURROGATES = { from: 0xd800, count: 0x800 };

/** What `unit: 'binary'` draws. Of that, fast-check makes a table of a million entries, which takes 1.6 s to fill. */
const codePoint = fc.nat(0x10_ffff - SURROGATES.count).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (text) => {
    const code = Number(String(text).codePointAt(0));
    if (String.fromCodePoint(code) !== text || !text.isWellFormed()) throw new TypeError('not one code point');
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...Object.values(HOSTILE)),
  fc.constant({ constructor: { prototype: { polluted: true } } }),
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Any value as an address carries it. */
export function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text ?? 'undefined').slice(0, 500);
}
