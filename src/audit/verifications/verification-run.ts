import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { ReportView, VerifiedPartition } from './verifications.answer.js';

/** A stored report, of this version or an earlier one. */
export type StoredReport = Omit<ReportView, 'partitions' | 'warnings'> & {
  readonly partitions: readonly (Omit<VerifiedPartition, 'outside'> & { readonly outside?: number })[];
  readonly warnings?: string[];
};

/** A verification started by a user. A constraint allows one running at a time. Counts are decimal text. */
@Entity()
export class VerificationRun {
  @PrimaryColumn('uuid') id: string;
  @Column() startedBy: string;
  @Column('text') status: 'Running' | 'Finished' | 'Failed';
  @Column('timestamptz') startedAt: Date;
  /** Last heartbeat of the process that runs it. */
  @Column('timestamptz') seenAt: Date;
  @Column('timestamptz') finishedAt: Date | null;
  @Column('bigint') examined: string;
  @Column('bigint') total: string;
  @Column('text') fault: string | null;
  /** Large: selected on demand only. */
  @Column('json', { select: false }) report?: StoredReport | null;
  @VirtualColumn({ type: 'boolean', query: (run) => `(${run}.report->>'ok')::boolean` }) ok: boolean | null;
}
