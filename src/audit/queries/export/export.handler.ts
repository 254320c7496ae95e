import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { AuthenticationError, ServiceUnavailable, TooManyRequests } from '../../../platform/errors/index.js';
import { Download, Places } from '../../../platform/http/index.js';
import { Auditors } from '../../auditors/auditors.js';
import { auditorActor, type AuditReader } from '../../domain/auditor.js';
import type { ExportLine } from '../../export/export-format.js';
import { Exporter } from '../../export/exporter.js';
import { ExportLog, type ExportUnderWay } from './export.query.js';

/** Exports of a process at a time: each scans the log. */
const MOST = 2;
const RETRY_AFTER_S = 10;
/** Whoever reads is asked for again that often: an export may take hours. */
const RIGHTS_EVERY_MS = 500;

@QueryHandler(ExportLog)
export class ExportLogHandler implements IQueryHandler<ExportLog> {
  readonly #places = new Places<Download>(MOST, {
    second: () => new TooManyRequests('Only one export of an auditor, or of a partner, at a time.', RETRY_AFTER_S),
    full: () => new TooManyRequests(`Only ${MOST} exports at a time.`, RETRY_AFTER_S),
  });

  constructor(
    private readonly exporter: Exporter,
    private readonly auditors: Auditors,
  ) {}

  /** Refusals come before the first line, while the answer can still have an error status. */
  async execute({ range, auditor }: ExportLog): Promise<ExportUnderWay> {
    // One turn for all auditors of a partner: who reads slowly keeps it from their own, not from others.
    const download = this.#places.take(auditor.partnerUid ?? auditor.actor, (release) => new Download(release));
    try {
      await this.exporter.covered(range);
    } catch (error) {
      download.release();
      throw error;
    }
    return { lines: this.#whileActive(auditor, this.exporter.lines(range)), download };
  }

  /** An auditor who is revoked meanwhile gets no more lines, and so no `end`. */
  async *#whileActive(auditor: AuditReader, lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportLine> {
    let asked = performance.now();
    for await (const line of lines) {
      if (performance.now() - asked >= RIGHTS_EVERY_MS) {
        if (await this.#isRevoked(auditor)) throw new AuthenticationError('The auditor was revoked during the export.');
        asked = performance.now();
      }
      yield line;
    }
  }

  /** Not while that cannot be told: a registry that lags for a moment ends no export. */
  async #isRevoked({ id, actor }: AuditReader): Promise<boolean> {
    if (actor !== auditorActor(id)) return false;
    try {
      return (await this.auditors.active(id)) === undefined;
    } catch (error) {
      if (error instanceof ServiceUnavailable) return false;
      throw error;
    }
  }
}
