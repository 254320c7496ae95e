import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EntityNotFound, InvalidInputError } from '../../../platform/errors/index.js';
import { VisiblePartitions } from '../../auditors/visible-partitions.js';
import { CheckpointStore, type StoredCheckpoint } from '../../checkpoints/checkpoint-store.js';
import { Proofs } from '../../tree/proofs.js';
import { AuditedEvents } from '../events/audited-events.js';
import type { ConsistencyProof, InclusionProof } from './proofs.answer.js';
import { ProveConsistency, ProveInclusion } from './proofs.query.js';

@QueryHandler(ProveInclusion)
export class ProveInclusionHandler implements IQueryHandler<ProveInclusion> {
  constructor(
    private readonly checkpoints: CheckpointStore,
    private readonly proofs: Proofs,
    private readonly events: AuditedEvents,
  ) {}

  async execute({ auditor, partition, position, size }: ProveInclusion): Promise<InclusionProof> {
    const event = await this.events.at(auditor, partition, position);
    const checkpoint = await checkpointOf(this.checkpoints, partition, size);
    if (position > checkpoint.size) {
      throw new InvalidInputError('NotUnderThisCheckpoint', 'The event came after this checkpoint was signed.');
    }
    const path = await this.proofs.inclusion(event, checkpoint);
    return {
      leaf: event.leaf.toString('base64'),
      index: String(position - 1n),
      size: String(checkpoint.size),
      root: checkpoint.root.toString('base64'),
      path: path.map((hash) => hash.toString('base64')),
      note: checkpoint.note,
    };
  }
}

@QueryHandler(ProveConsistency)
export class ProveConsistencyHandler implements IQueryHandler<ProveConsistency> {
  constructor(
    private readonly checkpoints: CheckpointStore,
    private readonly proofs: Proofs,
    private readonly visible: VisiblePartitions,
  ) {}

  async execute({ auditor, partition, from, to }: ProveConsistency): Promise<ConsistencyProof> {
    await this.visible.assert(auditor, partition);
    const checkpoint = await checkpointOf(this.checkpoints, partition, to);
    if (from === 0n) throw new InvalidInputError('WrongOrder', 'The earlier tree must have events: from is 1 or more.');
    if (from > checkpoint.size) throw new InvalidInputError('WrongOrder', 'The earlier tree is larger than the later.');
    const path = await this.proofs.consistency(from, checkpoint);
    return {
      from: String(from),
      to: String(checkpoint.size),
      root: checkpoint.root.toString('base64'),
      path: path.map((hash) => hash.toString('base64')),
      note: checkpoint.note,
    };
  }
}

async function checkpointOf(
  checkpoints: CheckpointStore,
  partition: number,
  size: bigint | undefined,
): Promise<StoredCheckpoint> {
  const found = size === undefined ? await checkpoints.newest(partition) : await checkpoints.ofSize(partition, size);
  if (!found) throw new EntityNotFound('CheckpointEntity', 'size', String(size ?? 'newest'));
  return found;
}
