import { Query } from '@nestjs/cqrs';
import type { ExportLine } from '../../export/export-format.js';
import type { ExportRange } from '../../export/exporter.js';

/** The lines of an export, as they are read. */
export class ExportLog extends Query<AsyncIterable<ExportLine>> {
  constructor(readonly range: ExportRange) {
    super();
  }
}
