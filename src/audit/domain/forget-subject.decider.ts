import { type NewEvent, SubjectForgotten } from '../../event-store/index.js';

/** A data subject, and the partition that has its key. */
export interface SubjectKey {
  readonly partition: number;
  readonly subject: string;
  readonly partnerUid: string;
}

/** Idempotent in each of the two partitions. */
export function decideForgetting(isForgotten: boolean, { subject, partition, partnerUid }: SubjectKey): NewEvent[] {
  return isForgotten ? [] : [SubjectForgotten.create(`subject-${subject}`, 1, { subject, partition, partnerUid })];
}
