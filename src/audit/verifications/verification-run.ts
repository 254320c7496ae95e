import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { ReportView, VerifiedPartition } from './verifications.answer.js';

/** A report as JSON, of this version or an earlier one. */
export type KeptReport = Omit<ReportView, 'partitions' | 'warnings'> & {
  readonly partitions: readonly (Omit<VerifiedPartition, 'outside'> & { readonly outside?: number })[];
  readonly warnings?: string[];
};

/** A verification that somebody started; the database lets one at a time run. Counts are decimal text. */
@Entity()
export class VerificationRun {
  @PrimaryColumn('uuid') id: string;
  @Column() startedBy: string;
  @Column('text') status: 'Running' | 'Finished' | 'Failed';
  @Column('timestamptz') startedAt: Date;
  /** When the process that runs it was last heard of. */
  @Column('timestamptz') seenAt: Date;
  @Column('timestamptz') finishedAt: Date | null;
  @Column('bigint') examined: string;
  @Column('bigint') total: string;
  @Column('text') fault: string | null;
  /** Large: read only where it is asked for. */
  @Column('json', { select: false }) report?: KeptReport | null;
  @VirtualColumn({ type: 'boolean', query: (run) => `(${run}.report->>'ok')::boolean` }) ok: boolean | null;
}
