import type { Found } from './window.js';

/**
 * The partitions' answers as one, newest first. Where some have looked only so far back (an edge), what the others know
 * of older times is left to the next page: the newest edge is that of all.
 * @param byPosition the order of an account's own list; else that of identifiers
 */
export function merged(answers: readonly (readonly Found[])[], byPosition: boolean): { rows: Found[]; edge?: Found } {
  const newerFirst = byPosition
    ? (a: Found, b: Found) => Number(BigInt(b.position) - BigInt(a.position))
    : (a: Found, b: Found) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
  const all = answers.flat();
  const [edge] = all.filter((one) => one.edge).sort(newerFirst);
  const rows = all.filter((one) => !one.edge && (!edge || newerFirst(one, edge) <= 0)).sort(newerFirst);
  return { rows, ...(edge && { edge }) };
}
