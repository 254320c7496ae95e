import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Partitions } from '../../../event-store/index.js';
import { EntityNotFound, InvalidInputError } from '../../../platform/errors/index.js';
import {
  Answers,
  CURSOR_KEY,
  decodeCursor,
  done,
  encodeCursor,
  PageQuery,
  Parameter,
  ValidQuery,
} from '../../../platform/http/index.js';
import { type AuditReader, AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import { VisiblePartitions } from '../../auditors/visible-partitions.js';
import { CheckpointKey } from '../../checkpoints/checkpoint-key.js';
import { CheckpointStore, type StoredCheckpoint } from '../../checkpoints/checkpoint-store.js';
import { Proofs } from '../../tree/proofs.js';
import { AuditedEvents } from '../events/audited-events.js';
import { IsPartition, IsPosition, parsePartition } from '../parameters.js';
import { CheckpointView, ConsistencyProof, InclusionProof, NewestCheckpoints } from './proofs.answer.js';

const NOTE = `partner-payments-service/12345678/partition-1
8
XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=

— partner-payments-service/12345678/partition-1 xZd9…
`;
const ROOT = 'XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=';
const CHECKPOINT = {
  partition: 1,
  size: '8',
  root: ROOT,
  note: NOTE,
  vkey: 'partner-payments-service/12345678/partition-1+c5977d…+AY…',
  signedAt: '2026-11-20T14:04:05.123Z',
};

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

/** Signed checkpoints for witnesses: no token, they say nothing of anybody. */
@ApiTags('Audit')
@Controller('checkpoints')
export class CheckpointsController {
  constructor(private readonly checkpoints: CheckpointStore) {}

  @Get(':partition')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Answers({
    summary: 'The newest signed checkpoint of a partition (C2SP tlog-checkpoint)',
    example: NOTE,
    contentType: 'text/plain',
    errors: [404],
    public: true,
  })
  async getCheckpoint(@Param('partition') partition: string) {
    const checkpoint = await this.checkpoints.newest(parsePartition(partition));
    if (!checkpoint) throw new EntityNotFound('CheckpointEntity', 'partition', partition);
    return checkpoint.note;
  }
}

/** The keys that checkpoints are verified with. Who fetches them here trusts this server; the operator gives them too. */
@ApiTags('Audit')
@Controller('.well-known')
export class VerifierKeysController {
  constructor(
    private readonly partitions: Partitions,
    private readonly key: CheckpointKey,
  ) {}

  @Get('ledger-verifier-keys')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Answers({
    summary: 'The keys that verify checkpoints, one a line and partition (C2SP vkey)',
    description: 'Compare them with those that the operator gave you by another way.',
    example: `${CHECKPOINT.vkey}\n`,
    contentType: 'text/plain',
    public: true,
  })
  listVerifierKeys(): string {
    return this.partitions
      .all()
      .map((partition) => `${this.key.publicTextOf(partition)}\n`)
      .join('');
  }
}

/** Checkpoints and proofs for auditors. */
@ApiTags('Audit')
@Controller('audit')
@AuditorRoute()
export class ProofsController {
  constructor(
    private readonly partitions: Partitions,
    private readonly checkpoints: CheckpointStore,
    private readonly key: CheckpointKey,
    private readonly proofs: Proofs,
    private readonly events: AuditedEvents,
    private readonly visible: VisiblePartitions,
  ) {}

  @Get('checkpoints')
  @Answers({
    summary: 'The newest checkpoint of every partition, and the key that signs it',
    description: '`partitionsAway` gave no answer.',
    answer: NewestCheckpoints,
    example: done({ items: [CHECKPOINT], partitionsAway: [] }),
  })
  async listNewestCheckpoints(@CallingAuditor() auditor: AuditReader) {
    const partitions = this.partitions.all().filter(await this.visible.filterOf(auditor.partnerUid));
    const { found, away } = await this.partitions.ask(partitions, (partition) => this.checkpoints.newest(partition));
    const items = found.flatMap(([, checkpoint]) => (checkpoint ? [this.#show(checkpoint)] : []));
    return done({ items, partitionsAway: away });
  }

  @Get('checkpoints/:partition')
  @Answers({
    summary: 'All checkpoints of a partition, smallest first',
    answer: CheckpointView,
    list: true,
    example: done({ items: [CHECKPOINT], nextCursor: null }),
    errors: [404],
  })
  async listCheckpoints(
    @CallingAuditor() auditor: AuditReader,
    @Param('partition') text: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    const partition = parsePartition(text);
    await this.visible.assert(auditor, partition);
    const list = ['audit-checkpoints', partition];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? -1);
    const found = await this.checkpoints.after(partition, after, limit);
    const nextCursor = found.length === limit ? encodeCursor(list, String(found.at(-1)!.size)) : null;
    return done({ items: found.map((checkpoint) => this.#show(checkpoint)), nextCursor });
  }

  @Get('proofs/inclusion')
  @Answers({
    summary: 'Proves an event to be under a signed checkpoint',
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
    const event = await this.events.at(auditor, partition, position);
    const checkpoint = await this.#checkpoint(partition, size);
    if (position > checkpoint.size) {
      throw new InvalidInputError('NotUnderThisCheckpoint', 'The event came after this checkpoint was signed.');
    }
    const path = await this.proofs.inclusion(event, checkpoint);
    return done({
      leaf: event.leaf.toString('base64'),
      index: String(position - 1n),
      size: String(checkpoint.size),
      root: checkpoint.root.toString('base64'),
      path: path.map((hash) => hash.toString('base64')),
      note: checkpoint.note,
    });
  }

  @Get('proofs/consistency')
  @Answers({
    summary: 'Proves that a tree begins with an earlier one: nothing was changed or taken away',
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
    await this.visible.assert(auditor, partition);
    const checkpoint = await this.#checkpoint(partition, to);
    if (from === 0n) throw new InvalidInputError('WrongOrder', 'The earlier tree must have events: from is 1 or more.');
    if (from > checkpoint.size) throw new InvalidInputError('WrongOrder', 'The earlier tree is larger than the later.');
    const path = await this.proofs.consistency(from, checkpoint);
    return done({
      from: String(from),
      to: String(checkpoint.size),
      root: checkpoint.root.toString('base64'),
      path: path.map((hash) => hash.toString('base64')),
      note: checkpoint.note,
    });
  }

  async #checkpoint(partition: number, size: bigint | undefined): Promise<StoredCheckpoint> {
    const found =
      size === undefined ? await this.checkpoints.newest(partition) : await this.checkpoints.ofSize(partition, size);
    if (!found) throw new EntityNotFound('CheckpointEntity', 'size', String(size ?? 'newest'));
    return found;
  }

  #show({ partition, size, root, note, signedAt }: StoredCheckpoint): CheckpointView {
    return {
      partition,
      size: String(size),
      root: root.toString('base64'),
      note,
      vkey: this.key.publicTextOf(partition),
      signedAt,
    };
  }
}
