import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Partitions } from '../../../event-store/index.js';
import { SharedReads } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, encodeCursor, type Page } from '../../../platform/http/index.js';
import { VisiblePartitions } from '../../auditors/visible-partitions.js';
import { CheckpointKey } from '../../checkpoints/checkpoint-key.js';
import { CheckpointStore, type StoredCheckpoint } from '../../checkpoints/checkpoint-store.js';
import type { CheckpointView, NewestCheckpoints } from './checkpoints.answer.js';
import { GetNewestNote, ListCheckpoints, ListNewestCheckpoints, ListVerifierKeys } from './checkpoints.query.js';

@QueryHandler(GetNewestNote)
export class GetNewestNoteHandler implements IQueryHandler<GetNewestNote> {
  /** Anybody may ask: those who do at once share a statement. */
  readonly #asked = new SharedReads<StoredCheckpoint | undefined>();

  constructor(
    private readonly partitions: Partitions,
    private readonly checkpoints: CheckpointStore,
  ) {}

  async execute({ partition }: GetNewestNote): Promise<string> {
    // Of numbers that are no partition's there are thousands: none of them costs a statement.
    const checkpoint = this.partitions.has(partition)
      ? await this.#asked.run(String(partition), () => this.checkpoints.newest(partition))
      : undefined;
    if (!checkpoint) throw new EntityNotFound('CheckpointEntity', 'partition', String(partition));
    return checkpoint.note;
  }
}

@QueryHandler(ListVerifierKeys)
export class ListVerifierKeysHandler implements IQueryHandler<ListVerifierKeys> {
  constructor(
    private readonly partitions: Partitions,
    private readonly key: CheckpointKey,
  ) {}

  async execute(): Promise<readonly string[]> {
    return this.partitions.all().map((partition) => this.key.publicTextOf(partition));
  }
}

@QueryHandler(ListNewestCheckpoints)
export class ListNewestCheckpointsHandler implements IQueryHandler<ListNewestCheckpoints> {
  constructor(
    private readonly partitions: Partitions,
    private readonly checkpoints: CheckpointStore,
    private readonly key: CheckpointKey,
    private readonly visible: VisiblePartitions,
  ) {}

  async execute({ auditor }: ListNewestCheckpoints): Promise<NewestCheckpoints> {
    const partitions = this.partitions.all().filter(await this.visible.filterOf(auditor.partnerUid));
    const { found, away } = await this.partitions.ask(partitions, (partition) => this.checkpoints.newest(partition));
    const items = found.flatMap(([, checkpoint]) => (checkpoint ? [show(checkpoint, this.key)] : []));
    return { items, partitionsAway: away };
  }
}

@QueryHandler(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(
    private readonly checkpoints: CheckpointStore,
    private readonly key: CheckpointKey,
    private readonly visible: VisiblePartitions,
  ) {}

  async execute({ auditor, partition, limit, cursor }: ListCheckpoints): Promise<Page<CheckpointView>> {
    await this.visible.assert(auditor, partition);
    const list = ['audit-checkpoints', partition];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? -1);
    const found = await this.checkpoints.after(partition, after, limit);
    const nextCursor = found.length === limit ? encodeCursor(list, String(found.at(-1)!.size)) : null;
    return { items: found.map((checkpoint) => show(checkpoint, this.key)), nextCursor };
  }
}

function show({ partition, size, root, note, signedAt }: StoredCheckpoint, key: CheckpointKey): CheckpointView {
  return {
    partition,
    size: String(size),
    root: root.toString('base64'),
    note,
    vkey: key.publicTextFor(partition, note),
    signedAt,
  };
}
