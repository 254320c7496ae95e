/**
 * Rows and events as text, for temporary files: JSON, with the values that JSON does not have as objects of one
 * member. Plain data that looks like one of these would be misread, so it is wrapped itself.
 */
const TAG = '$';

export function encodeRow(value: unknown): string {
  return JSON.stringify(tag(value));
}

export function decodeRow(text: string): unknown {
  return untag(JSON.parse(text));
}

function tag(value: unknown): unknown {
  if (typeof value === 'bigint') return { [TAG]: 'n', v: value.toString() };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { [TAG]: 'd', v: value.getTime() };
  if (Buffer.isBuffer(value)) return { [TAG]: 'b', v: value.toString('base64') };
  if (Array.isArray(value)) return value.map(tag);
  const tagged: Record<string, unknown> = {};
  for (const member in value) tagged[member] = tag((value as Record<string, unknown>)[member]);
  return TAG in value ? { [TAG]: 'o', v: tagged } : tagged;
}

function untag(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(untag);
  const members = value as Record<string, unknown>;
  switch (members[TAG]) {
    case undefined:
      return untagMembers(members);
    case 'n':
      return BigInt(members.v as string);
    case 'd':
      return new Date(members.v as number);
    case 'b':
      return Buffer.from(members.v as string, 'base64');
    default:
      return untagMembers(members.v as Record<string, unknown>);
  }
}

/** In place: the object was just parsed and is nobody else's. */
function untagMembers(members: Record<string, unknown>): Record<string, unknown> {
  for (const member in members) {
    const value = members[member];
    if (typeof value === 'object' && value !== null) members[member] = untag(value);
  }
  return members;
}
