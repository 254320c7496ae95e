import { Query } from '@nestjs/cqrs';
import type { AuditReader } from '../../domain/auditor.js';
import type { ExportLine } from '../../export/export-format.js';
import type { ExportRange } from '../../export/exporter.js';

export interface ExportUnderWay {
  /** As they are read. */
  readonly lines: AsyncIterable<ExportLine>;
  /** To call once they are read, or nobody reads on: until then it counts as one of those at a time. */
  readonly release: () => void;
}

export class ExportLog extends Query<ExportUnderWay> {
  constructor(
    readonly range: ExportRange,
    readonly auditor: AuditReader,
  ) {
    super();
  }
}
