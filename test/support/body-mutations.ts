type Body = Record<string, unknown>;

/** Values that a member may be sent as, whatever it should be. */
const VALUES: readonly unknown[] = [
  undefined, null, '', ' ', 'a', '0', '-1', '10.50', '0.00', '1e3', '٣', 'a'.repeat(141), 'a'.repeat(3000), '\u0000', '\ud800',
  '😀'.repeat(64), '😀'.repeat(65), 'a\ufe0f'.repeat(140), 'true', '2027-02-30', '2027-01-31', '52998224725', '60701190', '0001',
  'CPF', 'Standard', 'drop', 0, 1, -1, 1.5, 10, 11, 600_001, true, false, [], {}, [[]], [null], ['a'], [{}], [[{}]], [1, {}, null, []],
  ['Transfer'], ['203.0.113.0/24', '::1'], ['203.0.113.0/33'], Array.from({ length: 101 }, () => '::1'),
  { constructor: {} }, { constructor: 'Array' }, { constructor: { prototype: { polluted: 1 } } }, { toString: 1, then: 1 },
  { length: 1 }, { value: 1 }, JSON.parse('{"__proto__":{"polluted":1}}'), JSON.parse('{"__proto__":[]}'),
]; // oxfmt-ignore

/** Bodies that differ from a good one in one to three places, the same ones every time. */
export function* mutations(good: Body, count: number): Generator<unknown> {
  let seed = 42;
  const upTo = (n: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % n;
  yield* [good, undefined, null, 'a', 1, [], [good]];
  for (const value of VALUES) for (const path of pathsOf(good)) yield asSent(put(structuredClone(good), path, value));
  for (let i = 0; i < count; i++) {
    const body = structuredClone(good);
    for (let times = 1 + upTo(3); times > 0; times--) {
      const paths = pathsOf(body);
      put(body, paths[upTo(paths.length)]!, VALUES[upTo(VALUES.length)]);
    }
    yield asSent(body);
  }
}

/** JSON knows no holes in lists. */
function asSent(body: Body): unknown {
  return JSON.parse(JSON.stringify(body));
}

/** Every member at any depth, and members that nobody declared. */
function pathsOf(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.keys(value).filter((name) => name !== '__proto__');
  const unknown = Array.isArray(value) ? [String(value.length)] : ['unknown', 'constructor', '__proto__', 'toString'];
  return [
    ...[...own, ...unknown].map((name) => [...at, name]),
    ...own.flatMap((name) => pathsOf((value as Body)[name], [...at, name])),
  ];
}

function put(body: Body, path: readonly string[], value: unknown): Body {
  let owner: Body = body;
  for (const name of path.slice(0, -1)) owner = owner[name] as Body;
  const name = path.at(-1)!;
  if (value === undefined) delete owner[name];
  else
    Object.defineProperty(owner, name, {
      value: structuredClone(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return body;
}
