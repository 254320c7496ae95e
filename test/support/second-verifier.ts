import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * A second implementation of docs/audit-format.md, written from that page alone: nothing of the service is used, so
 * that an error of the one does not hide in the other.
 */
const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** "Leaf": ten columns, each after its length as four bytes. */
export function leafBytes(event: any): Buffer {
  const columns = [
    `${event.partition}`,
    `${event.position}`,
    event.id,
    event.stream,
    `${event.version}`,
    event.type,
    `${event.schemaVersion}`,
    `${event.time}`,
    event.data,
    event.metadata,
  ];
  return Buffer.concat(
    columns.flatMap((column) => {
      const bytes = Buffer.from(column, 'utf8');
      const length = Buffer.from([bytes.length >>> 24, bytes.length >>> 16, bytes.length >>> 8, bytes.length]);
      return [length, bytes];
    }),
  );
}

export const leafHash = (event: any) => sha256(Buffer.from([0]), leafBytes(event));
const node = (left: Buffer, right: Buffer) => sha256(Buffer.from([1]), left, right);

/** "Tree": recursive, as the page says it. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (2 * k < leaves.length) k *= 2;
  return node(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

/** "Inclusion": recomputes the root recursively from the leaf and the path. */
export function rootFromInclusion(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer {
  if (size === 1) return path.length === 0 ? leaf : Buffer.alloc(0);
  let k = 1;
  while (2 * k < size) k *= 2;
  const sibling = path.at(-1);
  if (!sibling) return Buffer.alloc(0);
  const rest = path.slice(0, -1);
  return index < k
    ? node(rootFromInclusion(leaf, index, k, rest), sibling)
    : node(sibling, rootFromInclusion(leaf, index - k, size - k, rest));
}

/** "Consistency": both roots from the proof, recursively. */
export function rootsFromConsistency(m: number, n: number, path: readonly Buffer[], rootM: Buffer): [Buffer, Buffer] {
  const walk = (size: number, of: number, left: readonly Buffer[], whole: boolean): [Buffer, Buffer] => {
    if (size === of) {
      const hash = whole ? rootM : (left[0] ?? Buffer.alloc(0));
      return [hash, hash];
    }
    let k = 1;
    while (2 * k < of) k *= 2;
    const sibling = left.at(-1) ?? Buffer.alloc(0);
    const rest = left.slice(0, -1);
    if (size <= k) {
      const [older, newer] = walk(size, k, rest, whole);
      return [older, node(newer, sibling)];
    }
    const [older, newer] = walk(size - k, of - k, rest, false);
    return [node(sibling, older), node(sibling, newer)];
  };
  return walk(m, n, path, true);
}

/** "Checkpoint": origin, size and root of a note whose signature by the key is good; else nothing. */
export function openNote(note: string, vkey: string): { origin: string; size: number; root: Buffer } | undefined {
  const end = note.indexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [name, id, encoded] = vkey.split('+') as [string, string, string];
  const key = Buffer.from(vkey.slice(name.length + id.length + 2), 'base64');
  const expectedId = sha256(Buffer.from(`${name}\n`), key).subarray(0, 4);
  if (expectedId.toString('hex') !== id || key[0] !== 1 || encoded === '') return undefined;
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const good = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => Buffer.from(line.slice(name.length + 3), 'base64'))
    .some(
      (bytes) =>
        bytes.subarray(0, 4).equals(expectedId) && verify(null, Buffer.from(text), publicKey, bytes.subarray(4)),
    );
  const [origin, size, root] = text.split('\n') as [string, string, string];
  return good && origin === name ? { origin, size: Number(size), root: Buffer.from(root, 'base64') } : undefined;
}

/** "Export": whether a whole file proves, with keys from elsewhere or, without any, its own. */
export function exportProves(file: string, vkeys?: readonly string[]): boolean {
  const lines = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [header, ...rest] = lines;
  const end = rest.pop();
  if (header?.kind !== 'header' || end?.kind !== 'end') return false;
  let events = 0;
  const parts: { note: any; complete: boolean; leaves: Buffer[]; position: number }[] = [];
  for (const line of rest) {
    if (line.kind === 'checkpoint') {
      const note = (vkeys ?? [line.vkey]).map((vkey) => openNote(line.note, vkey)).find(Boolean);
      if (!note?.origin.endsWith(`/partition-${line.partition}`)) return false;
      parts.push({ note, complete: line.complete, leaves: [], position: 0 });
      continue;
    }
    events += 1;
    const part = parts.at(-1);
    const position = Number(line.position);
    if (!part?.note.origin.endsWith(`/partition-${line.partition}`)) return false;
    if (part.complete ? position !== part.position + 1 : position <= part.position) return false;
    part.position = position;
    if (part.complete) {
      part.leaves.push(leafHash(line));
    } else {
      const path = line.proof.map((hash: string) => Buffer.from(hash, 'base64'));
      const { size, root } = part.note;
      if (position > size || !rootFromInclusion(leafHash(line), position - 1, size, path).equals(root)) return false;
    }
  }
  return (
    end.events === events &&
    parts.every(
      ({ note, complete, leaves }) => !complete || (leaves.length === note.size && rootOf(leaves).equals(note.root)),
    )
  );
}
