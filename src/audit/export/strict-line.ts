import type { ExportLine } from './export-format.js';

type Rule = (value: unknown) => boolean;

/** One half of a pair of surrogates would be hashed as U+FFFD is, and as every other half. */
const isText: Rule = (value) => typeof value === 'string' && value.isWellFormed();
const isWhole: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isUuid: Rule = (value) => isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value as string);
const isPosition: Rule = (value) => isText(value) && /^[1-9]\d{0,18}$/.test(value as string);
const isProof: Rule = (value) => value === undefined || (Array.isArray(value) && value.every(isHash));
const isJsonObject: Rule = (value) =>
  isText(value) && /^\{.*\}$/s.test(value as string) && isObject(JSON.parse(value as string));

/** The members of each kind of line: these, and no others. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  header: { format: isText, partner: (value) => value === null || isUuid(value) },
  checkpoint: { partition: isWhole, note: isText, vkey: isText, complete: (value) => typeof value === 'boolean' },
  event: {
    ...{ partition: isWhole, position: isPosition, id: isUuid, stream: isText, version: isWhole, type: isText },
    ...{ schemaVersion: isWhole, time: isWhole, data: isJsonObject, metadata: isJsonObject, proof: isProof },
  },
  end: { events: isWhole },
};

/**
 * Parses a line of an export strictly, so that no two readers interpret it differently: a repeated member, a number in
 * another form, extra white space and unknown members are refused.
 * @throws Error with the problem
 */
export function parseStrictly(text: string): ExportLine {
  const line = JSON.parse(text) as Record<string, unknown>;
  if (!isObject(line)) throw new Error('this is no object');
  if (JSON.stringify(line) !== text) throw new Error('a member is given twice, or is not in the one form that it has');
  const { kind, ...members } = line;
  const rules = Object.hasOwn(MEMBERS, String(kind)) ? MEMBERS[String(kind)]! : undefined;
  if (!rules) throw new Error(`there is no kind ${JSON.stringify(kind)}`);
  for (const name of Object.keys(members)) if (!Object.hasOwn(rules, name)) throw new Error(`${name} is no member`);
  for (const [name, rule] of Object.entries(rules)) {
    if (!rule(members[name])) throw new Error(`${name} is not as the format has it`);
  }
  return line as unknown as ExportLine;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** SHA-256 in canonical base64. */
function isHash(value: unknown): boolean {
  return isText(value) && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value as string);
}
