import type { InlineProjection } from '../projections/inline-projection.js';
import { defineEvent } from '../log/event.js';
import { Table } from '../projections/table.js';

/**
 * A subject's key was destroyed: data sealed with it can never be read again, here or in any later copy. The event goes
 * to partition 0 too, which invalidates caches of registry data.
 */
export const SubjectForgotten = defineEvent<{
  subject: string;
  /** Partition that the key was in. */
  partition: number;
  /** Whose subject it was; earlier events have it as their `correlation` only. */
  partnerUid?: string;
}>()('SubjectForgotten', "A data subject's key was destroyed: everything personal of theirs is unreadable for good.");

export function streamOfSubject(subject: string): string {
  return `subject-${subject}`;
}

/** A subject whose key must not exist. */
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

/** Forgotten subjects. The key is deleted in the commit of the event. */
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
