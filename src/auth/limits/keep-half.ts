/**
 * Brings a full table down to half, so that it stays bounded and is not gone through again at the next entry: what
 * matters most stays, whatever a hostile client puts in.
 * @param weight how much an entry matters; of equals the newer one stays
 */
export function keepHalf<V>(table: Map<string, V>, most: number, weight: (value: V) => number): void {
  const ranked = [...table].map(([key, value], age) => ({ key, age, weight: weight(value) }));
  ranked.sort((one, other) => one.weight - other.weight || one.age - other.age);
  for (const { key } of ranked.slice(0, Math.max(0, table.size - most / 2))) table.delete(key);
}
