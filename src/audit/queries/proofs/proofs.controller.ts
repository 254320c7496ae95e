import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answers, done, Parameter, ValidQuery } from '../../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import { NOTE_EXAMPLE as NOTE, ROOT_EXAMPLE as ROOT } from '../checkpoints/checkpoints.controller.js';
import type { AuditReader } from '../../domain/auditor.js';
import { IsPartition, IsPosition } from '../parameters.js';
import { ConsistencyProof, InclusionProof } from './proofs.answer.js';
import { ProveConsistency, ProveInclusion } from './proofs.query.js';

const IsNumber = (description: string, means: PropertyDecorator, required = true) =>
  Parameter({ type: 'integer', description, required }, means);

class InclusionQuery {
  @IsNumber('of the event', IsPartition()) partition: number;
  @IsNumber('of the event', IsPosition()) position: bigint;
  @IsNumber('of a checkpoint; the newest, if absent', IsPosition(), false) size?: bigint;
}

class ConsistencyQuery {
  @IsNumber('of the checkpoints', IsPartition()) partition: number;
  @IsNumber('size of the earlier tree', IsPosition()) from: bigint;
  @IsNumber('size of a later checkpoint; the newest, if absent', IsPosition(), false) to?: bigint;
}

/** Proofs for auditors. */
@ApiTags('Audit')
@Controller('audit')
@AuditorRoute()
export class ProofsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('proofs/inclusion')
  @Answers({
    summary: 'Proves that a signed checkpoint covers an event',
    description: 'RFC 6962, 2.1.1; the leaf index is the position less one.',
    answer: InclusionProof,
    example: done({ leaf: ROOT, index: '7', size: '8', root: ROOT, path: [ROOT], note: NOTE }),
    errors: [404],
    reasons: ['NotUnderThisCheckpoint', 'TreeNotYetCovered'],
  })
  async proveInclusion(
    @CallingAuditor() auditor: AuditReader,
    @ValidQuery(InclusionQuery) { partition, position, size }: InclusionQuery,
  ) {
    return done(await this.queries.execute(new ProveInclusion(auditor, partition, position, size)));
  }

  @Get('proofs/consistency')
  @Answers({
    summary: 'Proves that a tree begins with an earlier one: nothing was changed or removed',
    description: 'RFC 6962, 2.1.2.',
    answer: ConsistencyProof,
    example: done({ from: '4', to: '8', root: ROOT, path: [ROOT], note: NOTE }),
    errors: [404],
    reasons: ['WrongOrder', 'TreeNotYetCovered'],
  })
  async proveConsistency(
    @CallingAuditor() auditor: AuditReader,
    @ValidQuery(ConsistencyQuery) { partition, from, to }: ConsistencyQuery,
  ) {
    return done(await this.queries.execute(new ProveConsistency(auditor, partition, from, to)));
  }
}
