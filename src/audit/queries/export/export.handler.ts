import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { TooManyRequests } from '../../../platform/errors/index.js';
import { Exporter } from '../../export/exporter.js';
import { ExportLog, type ExportUnderWay } from './export.query.js';

/** Concurrent exports of one process: each scans the log. */
const CONCURRENCY = 2;

@QueryHandler(ExportLog)
export class ExportLogHandler implements IQueryHandler<ExportLog> {
  #running = 0;

  constructor(private readonly exporter: Exporter) {}

  /** Refusals come before the first line, while the answer can still have an error status. */
  async execute({ range }: ExportLog): Promise<ExportUnderWay> {
    if (this.#running >= CONCURRENCY) throw new TooManyRequests(`Only ${CONCURRENCY} exports at a time.`, 10);
    // With the look, before anything is awaited: many ask at once.
    this.#running += 1;
    const release = () => void (this.#running -= 1);
    try {
      await this.exporter.covered(range);
    } catch (error) {
      release();
      throw error;
    }
    return { lines: this.exporter.lines(range), release };
  }
}
