import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';

const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'z', 'Z', '1', '_', 'é', '😀'), maxLength: 3 });
const names = fc.oneof(
  { weight: 6, arbitrary: letters.map((rest) => `n${rest}`) },
  { weight: 1, arbitrary: fc.constantFrom('7', '10', '', '__proto__', 'é', '😀', '\uffff', 'toJSON') },
);
/** As `JSON.parse` makes them: own members only, `__proto__` among them. */
const bodies = fc
  .letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, -0, 1e21, 0.1, '', 'ação', '"\\\u0001'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(names, tie('value')), { maxLength: 24 }).map((members) => Object.fromEntries(members)),
    ),
  }))
  .value.map((value) => JSON.stringify(value));

describe('canonical JSON', () => {
  it("is the library's, whatever the names", () => {
    const same = (text: string) => canonicalJson(JSON.parse(text)) === canonicalize(JSON.parse(text));
    fc.assert(fc.property(bodies, same), { numRuns: 1_000 });
  });

  it('of many members has them in order', () => {
    const sorted = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`);
    const body = Object.fromEntries(sorted.toReversed().map((name) => [name, 1]));
    expect(Object.keys(JSON.parse(canonicalJson(body)) as object)).toEqual(sorted);
  });

  it.each([
    ['{"b":{"z":1,"a":[{"d":2,"c":3}]},"a":"ação"}', '{"a":"ação","b":{"a":[{"c":3,"d":2}],"z":1}}'],
    ['{"n":{"10":1,"9":2,"é":3}}', '{"n":{"10":1,"9":2,"é":3}}'],
    ['{"b":1,"__proto__":{"d":1,"c":2}}', '{"__proto__":{"c":2,"d":1},"b":1}'],
    ['[{"b":1.50,"a":1e2}]', '[{"a":100,"b":1.5}]'],
    ['null', 'null'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });
});
