import type { InlineProjection } from '../projections/inline-projection.js';
import { defineEvent } from '../log/event.js';
import { Table } from '../projections/table.js';

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

const table = new Table<ForgottenSubject>({
  table: 'forgotten_subject',
  columns: { subject: 'uuid', forgottenAt: 'timestamptz' },
  changes: ['forgottenAt'],
  seldom: true,
});

/** The forgotten. The key goes in the very commit that says so. */
export const forgottenSubjectProjection: InlineProjection<ForgottenSubject> = {
  name: 'forgottenSubjects',
  keysOf: (event) => (SubjectForgotten.is(event) ? [event.data.subject] : []),
  evolve: (_row, event, subject) => ({ subject, forgottenAt: event.time }),
  ...table.inline(),

  save: (partition, changes) => [
    ...[...changes.inserted, ...changes.updated].map(({ subject }) => ({
      name: 'subject-key-destroy',
      text: 'delete from subject_key where partition = $1 and subject = $2',
      values: [partition, subject],
    })),
    ...table.save(partition, changes),
  ],
};
