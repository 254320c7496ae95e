import { Injectable } from '@nestjs/common';
import { appendLeaf, EMPTY_TREE, hashEvent, rootOf, type StoredEvent } from '../../event-store/index.js';
import { OperationError } from '../../platform/errors/index.js';
import { VisiblePartitions } from '../auditors/visible-partitions.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { CheckpointStore, type StoredCheckpoint } from '../checkpoints/checkpoint-store.js';
import type { Checkpoint } from '../checkpoints/note.js';
import { HistoryAltered } from '../errors.js';
import { toEventLine } from '../log/event-line.js';
import { LogReader } from '../log/log-reader.js';
import { PartnerOfEvents } from '../log/partner-of-events.js';
import { Proofs } from '../tree/proofs.js';
import { EXPORT_FORMAT, type ExportLine } from './export-format.js';

export interface ExportRange {
  /** One partition; all of them when absent. */
  readonly partition?: number;
  /** First and last position, both included. */
  readonly from?: bigint;
  readonly to?: bigint;
  readonly partner?: string;
}

/** 422: no signed checkpoint covers any of the requested events. */
class NothingCovered extends OperationError {
  constructor() {
    super('NothingCovered', 'No signed checkpoint covers any of it yet. One is signed a while after the first events.');
  }
}

/** Exports the log so that anybody can verify it without this database. */
@Injectable()
export class Exporter {
  constructor(
    private readonly reader: LogReader,
    private readonly checkpoints: CheckpointStore,
    private readonly proofs: Proofs,
    private readonly key: CheckpointKey,
    private readonly partners: PartnerOfEvents,
    private readonly partitions: VisiblePartitions,
  ) {}

  /** The checkpoints that cover the range. @throws NothingCovered; EntityNotFound for an unknown partner */
  async covered({ partition, from = 1n, partner }: ExportRange): Promise<readonly StoredCheckpoint[]> {
    const isVisible = await this.partitions.filterOf(partner ?? null);
    const found = (await this.checkpoints.newestOfAll()).filter(
      (one) => (partition ?? one.partition) === one.partition && isVisible(one.partition) && one.size >= from,
    );
    if (found.length === 0) throw new NothingCovered();
    return found;
  }

  /**
   * The lines of an export. It has only events that a signed checkpoint covers: others cannot be proved yet.
   * @throws as `covered`; HistoryAltered if the events are not the signed ones: an export with an end line is sound
   */
  async *lines(range: ExportRange): AsyncGenerator<ExportLine, void, undefined> {
    const checkpoints = await this.covered(range);
    yield { kind: 'header', format: EXPORT_FORMAT, partner: range.partner ?? null };
    let events = 0;
    for (const checkpoint of checkpoints) {
      for await (const line of this.#partition(checkpoint, range)) {
        if (line.kind === 'event') events += 1;
        yield line;
      }
    }
    yield { kind: 'end', events };
  }

  async *#partition(
    stored: StoredCheckpoint,
    { from = 1n, to, partner }: ExportRange,
  ): AsyncGenerator<ExportLine, void, undefined> {
    const { partition, note } = stored;
    const { size, root } = this.#signed(stored);
    const last = to === undefined || to > size ? size : to;
    const complete = from <= 1n && last === size && partner === undefined;
    yield { kind: 'checkpoint', partition, note, vkey: this.key.publicTextFor(partition, note), complete };
    let tree = EMPTY_TREE;
    for await (const page of this.reader.pages(partition, from - 1n, last)) {
      const events = partner === undefined ? page : await this.#ofPartner(partition, page, partner);
      const leaves = events.map(hashEvent);
      const proofs = complete
        ? []
        : await this.proofs.inclusions(
            events.map(({ position }, i) => ({ position, leaf: leaves[i]! })),
            { partition, size, root },
          );
      for (const [i, event] of events.entries()) {
        if (complete) tree = appendLeaf(tree, leaves[i]!);
        yield toEventLine(event, proofs[i]);
      }
    }
    if (complete && !(tree.size === size && rootOf(tree).equals(root))) {
      throw new HistoryAltered(
        partition,
        size,
        'the events up to here are not those of the checkpoint that was signed',
      );
    }
  }

  /**
   * What the note says: nothing signs the columns beside it. One of a retired key is checked by who has that key.
   * @throws HistoryAltered where a signature by our key is invalid
   */
  #signed({ partition, size, note }: StoredCheckpoint): Checkpoint {
    const signed = this.key.signedIn(partition, note) ?? this.key.signedByAnother(partition, note);
    if (signed) return signed;
    throw new HistoryAltered(partition, size, 'the newest checkpoint has a signature that is not ours');
  }

  async #ofPartner(partition: number, page: readonly StoredEvent[], partner: string): Promise<StoredEvent[]> {
    const owners = await this.partners.of(partition, page);
    return page.filter((_event, i) => owners[i] === partner);
  }
}
