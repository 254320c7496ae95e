import { Query } from '@nestjs/cqrs';
import type { Download } from '../../../platform/http/index.js';
import type { AuditReader } from '../../domain/auditor.js';
import type { ExportLine } from '../../export/export-format.js';
import type { ExportRange } from '../../export/exporter.js';

export interface ExportUnderWay {
  /** As they are read. */
  readonly lines: AsyncIterable<ExportLine>;
  /** Sends them: until it ends it counts as one of those at a time. */
  readonly download: Download;
}

export class ExportLog extends Query<ExportUnderWay> {
  constructor(
    readonly range: ExportRange,
    readonly auditor: AuditReader,
  ) {
    super();
  }
}
