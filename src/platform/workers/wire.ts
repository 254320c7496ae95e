import * as errors from '../errors/index.js';

/** Bytes before each message: its length, 32 bits, big-endian. */
const HEAD = 4;

type Members = Record<string, unknown>;

/** Classes of `platform/errors` by their prototype, and back. */
const NAMES = new Map<unknown, string>();
const PROTOTYPES = new Map<string, object>();
for (const [name, value] of Object.entries(errors)) {
  const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
  if (prototype !== errors.AppError.prototype && !(prototype instanceof errors.AppError)) continue;
  NAMES.set(prototype, name);
  PROTOTYPES.set(name, prototype);
}

/**
 * One message of a link: its length, then JSON. What JSON does not have is an object with one member: `$n` a bigint,
 * `$f` a number that is not finite, `$d` a date (milliseconds), `$b` bytes (base64), `$e` an `AppError` (the nearest
 * class of `platform/errors`, and its members), `$x` any other error (name, message, stack), `$o` an object that has a
 * member of such a name itself.
 * @throws TypeError for what is no data
 */
export function toFrame(message: unknown): Buffer {
  const text = JSON.stringify(encoded(message));
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame.writeUInt32BE(length);
  frame.write(text, HEAD);
  return frame;
}

/** Cuts what arrives on a link into messages. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** @returns the messages that are complete now, in their order */
  read(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const [first] = this.#chunks as [Buffer];
    // A long message comes in many chunks: they are put together once.
    if (first.length >= HEAD && this.#length < HEAD + first.readUInt32BE()) return [];
    let bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    const found: unknown[] = [];
    while (bytes.length >= HEAD) {
      const end = HEAD + bytes.readUInt32BE();
      if (bytes.length < end) break;
      found.push(decoded(JSON.parse(bytes.toString('utf8', HEAD, end))));
      bytes = bytes.subarray(end);
    }
    this.#chunks = bytes.length > 0 ? [bytes] : [];
    this.#length = bytes.length;
    return found;
  }
}

function encoded(value: unknown): unknown {
  if (typeof value === 'bigint') return { $n: `${value}` };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $f: `${value}` };
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('a function cannot be sent');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(encoded);
  if (value instanceof Date) return { $d: encoded(value.getTime()) };
  if (value instanceof Uint8Array) return { $b: Buffer.from(value).toString('base64') };
  if (value instanceof Error) return encodedError(value);
  if (value instanceof Map || value instanceof Set) throw new TypeError('a map or a set cannot be sent');
  const members: Members = {};
  let isMarked = false;
  for (const name of Object.keys(value)) {
    isMarked ||= name.startsWith('$');
    const member = (value as Members)[name];
    if (member !== undefined) members[name] = encoded(member);
  }
  return isMarked ? { $o: Object.entries(members) } : members;
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = decoded(value[i]);
    return value;
  }
  const members = value as Members;
  for (const name in members) {
    if (name.startsWith('$')) return special(name, members[name]);
    const member = members[name];
    if (typeof member === 'object') members[name] = decoded(member);
  }
  return members;
}

function special(mark: string, value: unknown): unknown {
  switch (mark) {
    case '$n':
      return BigInt(value as string);
    case '$f':
      return Number(value);
    case '$d':
      return new Date(decoded(value) as number);
    case '$b':
      return Buffer.from(value as string, 'base64');
    case '$o':
      return Object.fromEntries((value as [string, unknown][]).map(([name, member]) => [name, decoded(member)]));
    case '$e': {
      const [name, members] = value as [string, Members];
      return Object.assign(Object.create(PROTOTYPES.get(name)!) as Error, decoded(members));
    }
    default: {
      const [name, message, stack] = value as [string, string, string];
      return Object.assign(new Error(message), { name, stack });
    }
  }
}

/** Of a fault: what it says and where it was, for the log; not what it carries. */
function encodedError(error: Error): unknown {
  const { name, message, stack, cause } = error;
  if (!(error instanceof errors.AppError)) return { $x: [name, message, stack] };
  let prototype: unknown = Object.getPrototypeOf(error);
  while (!NAMES.has(prototype)) prototype = Object.getPrototypeOf(prototype);
  const members = { ...error, message, ...(cause instanceof Error && { cause }) };
  return { $e: [NAMES.get(prototype), encoded(members)] };
}
