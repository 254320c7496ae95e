import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { TooManyRequests } from '../../../platform/errors/index.js';
import type { ExportLine } from '../../export/export-format.js';
import { Exporter, type ExportRange } from '../../export/exporter.js';
import { ExportLog } from './export.query.js';

/** Exports under way at once in one process: each reads the log through. */
const AT_ONCE = 2;

@QueryHandler(ExportLog)
export class ExportLogHandler implements IQueryHandler<ExportLog> {
  #underWay = 0;

  constructor(private readonly exporter: Exporter) {}

  /** What can be refused at all is refused before the first line. */
  async execute({ range }: ExportLog): Promise<AsyncIterable<ExportLine>> {
    if (this.#underWay >= AT_ONCE) throw new TooManyRequests(`Only ${AT_ONCE} exports at a time.`, 10);
    await this.exporter.covered(range);
    return this.#lines(range);
  }

  async *#lines(range: ExportRange): AsyncGenerator<ExportLine, void, undefined> {
    this.#underWay += 1;
    try {
      yield* this.exporter.lines(range);
    } finally {
      this.#underWay -= 1;
    }
  }
}
