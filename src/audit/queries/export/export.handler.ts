import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { TooManyRequests } from '../../../platform/errors/index.js';
import type { ExportLine } from '../../export/export-format.js';
import { Exporter, type ExportRange } from '../../export/exporter.js';
import { ExportLog } from './export.query.js';

/** Concurrent exports of one process: each scans the log. */
const CONCURRENCY = 2;

@QueryHandler(ExportLog)
export class ExportLogHandler implements IQueryHandler<ExportLog> {
  #running = 0;

  constructor(private readonly exporter: Exporter) {}

  /** Refusals come before the first line, while the answer can still have an error status. */
  async execute({ range }: ExportLog): Promise<AsyncIterable<ExportLine>> {
    if (this.#running >= CONCURRENCY) throw new TooManyRequests(`Only ${CONCURRENCY} exports at a time.`, 10);
    await this.exporter.covered(range);
    return this.#lines(range);
  }

  async *#lines(range: ExportRange): AsyncGenerator<ExportLine, void, undefined> {
    this.#running += 1;
    try {
      yield* this.exporter.lines(range);
    } finally {
      this.#running -= 1;
    }
  }
}
