import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { TooManyRequests } from '../../../platform/errors/index.js';
import { Exporter } from '../../export/exporter.js';
import { ExportLog, type ExportUnderWay } from './export.query.js';

/** Concurrent exports of one process: each scans the log. */
const CONCURRENCY = 2;

@QueryHandler(ExportLog)
export class ExportLogHandler implements IQueryHandler<ExportLog> {
  /** Of each that is under way: whom it is for. */
  readonly #turns = new Set<string>();

  constructor(private readonly exporter: Exporter) {}

  /** Refusals come before the first line, while the answer can still have an error status. */
  async execute({ range, auditor }: ExportLog): Promise<ExportUnderWay> {
    // One turn for all auditors of a partner: who reads slowly keeps it from their own, not from others.
    const turn = auditor.partnerUid ?? auditor.actor;
    if (this.#turns.has(turn))
      throw new TooManyRequests('Only one export of an auditor, or of a partner, at a time.', 10);
    if (this.#turns.size >= CONCURRENCY) throw new TooManyRequests(`Only ${CONCURRENCY} exports at a time.`, 10);
    // With the look, before anything is awaited: many ask at once.
    this.#turns.add(turn);
    const release = () => void this.#turns.delete(turn);
    try {
      await this.exporter.covered(range);
    } catch (error) {
      release();
      throw error;
    }
    return { lines: this.exporter.lines(range), release };
  }
}
