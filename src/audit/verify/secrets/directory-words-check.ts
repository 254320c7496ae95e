import { IN_STREAM_INDEX, SubjectForgotten } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

export const WORDS = 'rows of directory';
const MOST_TOLD = 1_000;

interface Wrong extends Record<string, unknown> {
  readonly uid: string;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Every word by which something is found is of something that is listed, and of its holder: by that subject an erasure
 * finds the words to remove. Nobody is found by the words of a subject whose erasure was followed. The words themselves
 * are not compared.
 */
export async function checkDirectoryWords(database: Database, findings: Findings, partition: number): Promise<void> {
  const wrong = await database.backgroundQuery<Wrong>({
    name: 'verify-directory-words',
    // What was forgotten, and how far the directory has followed, is of the moment of the words.
    text: `
      select w.uid, d.field, d.expected, d.found
      from (
        select w.uid, w.kind, w.subject::text as subject, coalesce(a.uid, p.uid, k.id) is not null as listed,
          coalesce(a.holder ->> 'subject', p.holder ->> 'subject') as holder,
          f.subject is not null and exists (
            select from event e join subscription s on s.partition = $1 and s.consumer = 'directory'
            where e.partition = $1 and e.stream = 'subject-' || f.subject and e.type = $2
              and e.position <= s.position and ${IN_STREAM_INDEX}) as forgotten
        from directory_word w
        left join account a on w.kind = 'Account' and a.partition = $1 and a.uid = w.uid and a.partner_uid = w.partner_uid
        left join partner p on w.kind = 'Partner' and p.partition = $1 and p.uid = w.uid and p.uid = w.partner_uid
        left join access_key k on w.kind = 'AccessKey' and k.partition = $1 and k.id = w.uid
          and k.partner_uid = w.partner_uid
        left join forgotten_subject f on f.partition = $1 and f.subject = w.subject
        where w.partition = $1 and w.position is null) as w
      cross join lateral (
        select 'row' as field, 'something that is listed' as expected, 'words of ' || w.kind as found
        where not w.listed
        union all
        select 'subject', coalesce(w.holder, 'nothing'), coalesce(w.subject, 'nothing')
        where w.listed and w.subject is distinct from w.holder
        union all
        select 'word', 'nothing: the subject was forgotten', 'words' where w.forgotten) as d
      limit ${MOST_TOLD}`,
    values: [partition, SubjectForgotten.type],
  });
  for (const { uid, ...its } of new Map(wrong.map((one) => [`${one.uid}/${one.field}`, one])).values()) {
    findings.report({ check: WORDS, partition, position: null, subject: `directory ${uid}`, ...its });
  }
}
