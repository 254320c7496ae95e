/**
 * Evicts half of a full table, those of the least weight, so that it stays bounded and the next entry needs no scan: a
 * hostile client cannot push out the entries of most weight.
 * @param weight of an entry; of equal ones the newer stays
 */
export function keepHalf<V>(table: Map<string, V>, most: number, weight: (value: V) => number): void {
  const ranked = [...table].map(([key, value], age) => ({ key, age, weight: weight(value) }));
  ranked.sort((one, other) => one.weight - other.weight || one.age - other.age);
  for (const { key } of ranked.slice(0, Math.max(0, table.size - most / 2))) table.delete(key);
}
