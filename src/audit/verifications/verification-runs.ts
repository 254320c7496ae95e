import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { newId, partitionOf, REGISTRY_PARTITION } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { EntityNotFound, OperationError } from '../../platform/errors/index.js';
import type { ReportView, VerificationView, VerifiedPartition } from './verifications.answer.js';
import { type RunningVerifier, startVerifier, type VerifierResult } from './verifier-process.js';

interface Row {
  readonly id: string;
  readonly started_by: string;
  readonly status: 'Running' | 'Finished' | 'Failed';
  readonly started_at: Date;
  readonly seen_at: Date;
  readonly finished_at: Date | null;
  readonly examined: string;
  readonly total: string;
  readonly ok: boolean | null;
  readonly fault: string | null;
  readonly report?: KeptReport | null;
}

/** A report as JSON, of this version or an earlier one. */
type KeptReport = Omit<ReportView, 'partitions' | 'warnings'> & {
  readonly partitions: readonly (Omit<VerifiedPartition, 'outside'> & { readonly outside?: number })[];
  readonly warnings?: string[];
};

const COLUMNS = `id, started_by, status, started_at, seen_at, finished_at, examined, total, (report->>'ok')::boolean as ok, fault`;
const BEAT_MS = 1_000;
/** A run that nobody has been heard of for this long is lost, and stands in nobody's way. */
const LOST_MS = 30_000;
const SHOWN = 20;

/**
 * Verifications that people start from here. They stand in a table, so that every instance can tell how far one is;
 * the database lets one at a time run.
 */
@Injectable()
export class VerificationRuns implements OnApplicationShutdown {
  readonly #logger = new Logger(VerificationRuns.name);
  #running: { readonly verifier: RunningVerifier; readonly ended: Promise<void> } | undefined;

  constructor(private readonly database: Database) {}

  /** @throws OperationError `VerificationUnderWay` while one runs, here or elsewhere */
  async start(actor: string): Promise<VerificationView> {
    const id = newId(REGISTRY_PARTITION);
    const now = new Date();
    const [row] = await this.database.query<Row & Record<string, unknown>>({
      name: 'verification-start',
      text: `
        insert into verification_run (id, started_by, status, started_at, seen_at)
        select $1, $2, 'Running', $3, $3
        on conflict (status) where status = 'Running' do update
        set id = excluded.id, started_by = excluded.started_by, started_at = excluded.started_at,
          seen_at = excluded.seen_at, examined = 0, total = 0
        where verification_run.seen_at < $4
        returning ${COLUMNS}, report`,
      values: [id, actor, now, lostBefore(now)],
    });
    if (!row) {
      throw new OperationError('VerificationUnderWay', 'A verification is under way. Wait for its end.');
    }
    this.#run(id);
    return show(row, now);
  }

  /** Newest first, without their reports. */
  async newest(): Promise<VerificationView[]> {
    const rows = await this.database.query<Row & Record<string, unknown>>({
      name: 'verifications-newest',
      text: `select ${COLUMNS} from verification_run order by id desc limit ${SHOWN}`,
    });
    const now = new Date();
    return rows.map((row) => show(row, now));
  }

  /** @throws EntityNotFound */
  async get(id: string): Promise<VerificationView> {
    const [row] =
      partitionOf(id) === undefined
        ? []
        : await this.database.query<Row & Record<string, unknown>>({
            name: 'verification-get',
            text: `select ${COLUMNS}, report from verification_run where id = $1`,
            values: [id],
          });
    if (!row) throw new EntityNotFound('VerificationEntity', 'id', id);
    return show(row, new Date());
  }

  async onApplicationShutdown(): Promise<void> {
    this.#running?.verifier.stop();
    await this.#running?.ended;
  }

  #run(id: string): void {
    let reached = { done: '0', total: '0' };
    const verifier = startVerifier((done, total) => (reached = { done, total }));
    const beat = setInterval(() => void this.#beat(id, reached), BEAT_MS);
    const ended = verifier.result
      .then(async (result) => {
        clearInterval(beat);
        await this.#finish(id, reached, result);
      })
      .catch((error: unknown) => this.#logger.error({ err: error }, 'the end of a verification could not be recorded'))
      .finally(() => {
        clearInterval(beat);
        this.#running = undefined;
      });
    this.#running = { verifier, ended };
  }

  async #beat(id: string, { done, total }: { done: string; total: string }): Promise<void> {
    try {
      await this.database.backgroundQuery({
        name: 'verification-beat',
        text: `update verification_run set examined = $2, total = $3, seen_at = $4 where id = $1 and status = 'Running'`,
        values: [id, done, total, new Date()],
      });
    } catch (error) {
      this.#logger.warn({ err: error }, 'the progress of a verification could not be recorded');
    }
  }

  async #finish(id: string, { done, total }: { done: string; total: string }, result: VerifierResult): Promise<void> {
    const report = 'report' in result ? JSON.stringify(result.report) : null;
    const fault = 'fault' in result ? result.fault : null;
    const now = new Date();
    await this.database.backgroundQuery({
      name: 'verification-finish',
      text: `
        update verification_run
        set status = $2, examined = $3, total = $4, seen_at = $5, finished_at = $5, report = $6::json, fault = $7
        where id = $1`,
      values: [id, report === null ? 'Failed' : 'Finished', done, total, now, report, fault],
    });
  }
}

function lostBefore(now: Date): Date {
  return new Date(now.getTime() - LOST_MS);
}

function show(row: Row, now: Date): VerificationView {
  const { id, started_by, status, started_at, seen_at, finished_at, examined, total, ok, fault } = row;
  return {
    id,
    startedBy: started_by,
    status: status === 'Running' && seen_at < lostBefore(now) ? 'Lost' : status,
    startedAt: started_at,
    finishedAt: finished_at,
    examined,
    total,
    ok,
    fault,
    ...('report' in row && { report: row.report ? whole(row.report) : null }),
  };
}

/** What an earlier version kept says nothing of checkpoints from outside. */
function whole({ warnings = [], partitions, ...report }: KeptReport): ReportView {
  return { ...report, partitions: partitions.map((one) => ({ ...one, outside: one.outside ?? 0 })), warnings };
}
