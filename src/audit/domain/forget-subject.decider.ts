import { type NewEvent, streamOfSubject, SubjectForgotten } from '../../event-store/index.js';

/** A data subject, and the partition that has its key. */
export interface LocatedSubject {
  readonly partition: number;
  readonly subject: string;
  /** None of a person who paid for no transaction of ours. */
  readonly partnerUid?: string;
}

/** Idempotent in each of the two partitions. */
export function decideForgetting(isForgotten: boolean, { subject, partition, partnerUid }: LocatedSubject): NewEvent[] {
  return isForgotten ? [] : [SubjectForgotten.create(streamOfSubject(subject), 1, { subject, partition, partnerUid })];
}
