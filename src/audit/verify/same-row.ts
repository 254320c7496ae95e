import { isDeepStrictEqual } from 'node:util';

/** The first member in which two rows differ; `undefined` when they are the same. An absent member is `undefined`. */
export function differingField(expected: unknown, found: unknown): string | undefined {
  if (typeof expected !== 'object' || typeof found !== 'object' || expected === null || found === null) {
    return expected === found ? undefined : 'row';
  }
  const [a, b] = [expected as Record<string, unknown>, found as Record<string, unknown>];
  for (const member in a) if (!sameValue(a[member], b[member])) return member;
  for (const member in b) if (!(member in a) && b[member] !== undefined) return member;
  return undefined;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  return isDeepStrictEqual(a, b) || isDeepStrictEqual(asStored(a), asStored(b));
}

/** As a json column keeps it: without members that are `undefined`. */
function asStored(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
