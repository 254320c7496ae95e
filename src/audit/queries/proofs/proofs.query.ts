import { Query } from '@nestjs/cqrs';
import type { AuditReader } from '../../domain/auditor.js';
import type { ConsistencyProof, InclusionProof } from './proofs.answer.js';

/** Proves that a signed checkpoint covers an event. */
export class ProveInclusion extends Query<InclusionProof> {
  constructor(
    readonly auditor: AuditReader,
    readonly partition: number,
    readonly position: bigint,
    /** Of a checkpoint; `undefined` for the newest. */
    readonly size: bigint | undefined,
  ) {
    super();
  }
}

/** Proves that a tree begins with an earlier one. */
export class ProveConsistency extends Query<ConsistencyProof> {
  constructor(
    readonly auditor: AuditReader,
    readonly partition: number,
    readonly from: bigint,
    /** Size of a checkpoint; `undefined` for the newest. */
    readonly to: bigint | undefined,
  ) {
    super();
  }
}
