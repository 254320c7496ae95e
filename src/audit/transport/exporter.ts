import { Injectable } from '@nestjs/common';
import type { StoredEvent } from '../../event-store/index.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { CheckpointStore, type StoredCheckpoint } from '../checkpoints/checkpoint-store.js';
import { LogReader } from '../log-reader.js';
import { PartnerOfEvents } from '../partner-of-events.js';
import { Proofs } from '../tree/proofs.js';
import { EXPORT_FORMAT, type ExportLine, toEventLine } from './export-format.js';

export interface ExportRange {
  /** One partition; all of them when absent. */
  readonly partition?: number;
  /** First and last position, both included. */
  readonly from?: bigint;
  readonly to?: bigint;
  readonly partner?: string;
}

/** Writes the log down so that a stranger can verify it without this database. */
@Injectable()
export class Exporter {
  constructor(
    private readonly reader: LogReader,
    private readonly checkpoints: CheckpointStore,
    private readonly proofs: Proofs,
    private readonly key: CheckpointKey,
    private readonly partners: PartnerOfEvents,
  ) {}

  /** The lines of an export. Only what a signed checkpoint covers is in it: the rest cannot be proved yet. */
  async *lines(range: ExportRange): AsyncGenerator<ExportLine, void, undefined> {
    yield { kind: 'header', format: EXPORT_FORMAT, partner: range.partner ?? null };
    let events = 0;
    for (const checkpoint of await this.checkpoints.newestOfAll()) {
      if (range.partition !== undefined && range.partition !== checkpoint.partition) continue;
      for await (const line of this.#partition(checkpoint, range)) {
        if (line.kind === 'event') events += 1;
        yield line;
      }
    }
    yield { kind: 'end', events };
  }

  async *#partition(
    checkpoint: StoredCheckpoint,
    { from = 1n, to, partner }: ExportRange,
  ): AsyncGenerator<ExportLine, void, undefined> {
    const { partition, size, note } = checkpoint;
    const last = to === undefined || to > size ? size : to;
    const complete = from <= 1n && last === size && partner === undefined;
    yield { kind: 'checkpoint', partition, note, vkey: this.key.publicTextOf(partition), complete };
    for await (const page of this.reader.pages(partition, from - 1n, last)) {
      const events = partner === undefined ? page : await this.#ofPartner(partition, page, partner);
      const proofs = complete ? [] : await this.proofs.inclusions(events, checkpoint);
      for (const [i, event] of events.entries()) yield toEventLine(event, proofs[i]);
    }
  }

  async #ofPartner(partition: number, page: readonly StoredEvent[], partner: string): Promise<StoredEvent[]> {
    const owners = await this.partners.of(partition, page);
    return page.filter((_event, i) => owners[i] === partner);
  }
}
