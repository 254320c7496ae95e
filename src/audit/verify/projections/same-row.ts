/** The first member in which two rows differ; `undefined` when they are the same. An absent member is `undefined`. */
export function differingField(expected: unknown, found: unknown): string | undefined {
  if (!isObject(expected) || !isObject(found)) return expected === found ? undefined : 'row';
  if (sameShapeAndValues(expected, found)) return undefined;
  for (const member in expected) if (!sameValue(expected[member], found[member])) return member;
  for (const member in found) if (found[member] !== undefined && expected[member] === undefined) return member;
  return undefined;
}

/** Fast path: equal rows nearly always have the same members in the same order. It takes a third of the time. */
function sameShapeAndValues(expected: object, found: object): boolean {
  const names = Object.keys(expected);
  const others = Object.keys(found);
  if (names.length !== others.length) return false;
  for (let i = 0; i < names.length; i++) if (names[i] !== others[i]) return false;
  const values: unknown[] = Object.values(expected);
  const otherValues: unknown[] = Object.values(found);
  for (let i = 0; i < values.length; i++) if (!sameValue(values[i], otherValues[i])) return false;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Rows are flat except for dates, bytes and plain JSON, which a json column stores without `undefined` members. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  }
  if (Buffer.isBuffer(a) || Buffer.isBuffer(b)) return Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  return differingField(a, b) === undefined;
}
