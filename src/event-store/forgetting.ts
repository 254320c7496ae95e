import type { InlineProjection } from './inline-projection.js';
import { defineEvent } from './event.js';

/**
 * A subject's key was destroyed: what was sealed with it can never be read again, here or in any copy made from now
 * on. Partition 0 is told too, so that caches of registry data, which follow it, are emptied.
 */
export const SubjectForgotten = defineEvent<{
  subject: string;
  /** Partition that the key was in. */
  partition: number;
  /** Whose subject it was; earlier events have it as their `correlation` only. */
  partnerUid?: string;
}>()('SubjectForgotten', "A data subject's key was destroyed: everything personal of theirs is unreadable for good.");

/** A subject whose key must not be there. */
export interface ForgottenSubject {
  readonly subject: string;
  readonly forgottenAt: Date;
}

/** The forgotten. The key goes in the very commit that says so. */
export const forgottenSubjectProjection: InlineProjection<ForgottenSubject> = {
  name: 'forgottenSubjects',
  keysOf: (event) => (SubjectForgotten.is(event) ? [event.data.subject] : []),
  evolve: (_row, event, subject) => ({ subject, forgottenAt: event.time }),
  keyOf: ({ subject }) => subject,
  parse: (row) => ({ subject: row.subject as string, forgottenAt: row.forgotten_at as Date }),

  load: (partition, keys) => ({
    name: 'forgotten-subject-load',
    text: 'select subject, forgotten_at from forgotten_subject where partition = $1 and subject = any($2::uuid[])',
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'forgotten-subject-scan',
    text: `
      select subject, forgotten_at from forgotten_subject
      where partition = $1 and subject > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by subject limit $3`,
    values: [partition, afterKey, limit],
  }),

  save: (partition, { inserted, updated }) =>
    [...inserted, ...updated].flatMap(({ subject, forgottenAt }) => [
      {
        name: 'subject-key-destroy',
        text: 'delete from subject_key where partition = $1 and subject = $2',
        values: [partition, subject],
      },
      {
        name: 'forgotten-subject-save',
        text: `
          insert into forgotten_subject (partition, subject, forgotten_at) values ($1, $2, $3)
          on conflict (partition, subject) do update set forgotten_at = excluded.forgotten_at`,
        values: [partition, subject, forgottenAt],
      },
    ]),

  remove: (partition, keys) => [
    {
      name: 'forgotten-subject-remove',
      text: 'delete from forgotten_subject where partition = $1 and subject = any($2::uuid[])',
      values: [partition, keys],
    },
  ],
};
