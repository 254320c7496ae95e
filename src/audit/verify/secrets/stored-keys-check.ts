import { partitionOf, type PersonalDataCodec } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';
import { SUBJECT_KEYS } from './subject-keys-check.js';

const PAGE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Stored extends Record<string, unknown> {
  readonly id: string;
  readonly lookup: Buffer;
  readonly wrapped: Buffer;
}

/**
 * Every stored key is of a subject of its partition, and unwraps under that subject: an erasure would leave a copy in
 * another partition or under another subject. Call it after `SubjectKeysCheck`: what that has named is not named again.
 */
export async function checkStoredKeys(
  database: Database,
  codec: PersonalDataCodec,
  findings: Findings,
  partition: number,
): Promise<void> {
  for (let after = FIRST_ID; ;) {
    const page = await database.backgroundQuery<Stored>({
      name: 'verify-stored-keys',
      text: `
        select subject as id, lookup, wrapped_key as wrapped from subject_key
        where partition = $1 and subject > $2::uuid
        order by subject limit ${PAGE}`,
      values: [partition, after],
    });
    for (const key of page) {
      const wrong = wrongWith(key, codec, findings, partition);
      const where = { check: SUBJECT_KEYS, partition, position: null, subject: subjectOf(key), field: 'key' };
      if (wrong) findings.report({ ...where, ...wrong });
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const subjectOf = ({ id }: Stored) => `subject ${id}`;

function wrongWith(key: Stored, codec: PersonalDataCodec, findings: Findings, partition: number) {
  if (partitionOf(key.id) !== partition) {
    return { expected: 'nothing: the subject is of another partition', found: 'a key' };
  }
  if (findings.names(subjectOf(key))) return undefined;
  try {
    codec.unwrap(key);
    return undefined;
  } catch (error) {
    return { expected: 'a key that the master key unwraps under this subject', found: show((error as Error).message) };
  }
}
