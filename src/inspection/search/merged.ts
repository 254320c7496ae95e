import type { Found } from './window.js';

/**
 * Merges the partitions' answers, newest first. If some examined only so far back (an edge), older rows of the others
 * are left to the next page: the newest edge applies to all. A transaction may be found twice.
 * @param byPosition the order of an account's own list; else that of identifiers
 */
export function merged(answers: readonly (readonly Found[])[], byPosition: boolean): { rows: Found[]; edge?: Found } {
  const newerFirst = byPosition
    ? (a: Found, b: Found) => Number(BigInt(b.position) - BigInt(a.position))
    : (a: Found, b: Found) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
  const all = answers.flat();
  const [edge] = all.filter((one) => one.edge).sort(newerFirst);
  const found = new Map(all.flatMap((one) => (one.edge ? [] : [[one.id, one]])));
  const rows = [...found.values()].filter((one) => !edge || newerFirst(one, edge) <= 0).sort(newerFirst);
  return { rows, ...(edge && { edge }) };
}
