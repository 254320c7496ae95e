import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { newId, partitionOf, REGISTRY_PARTITION } from '../../event-store/index.js';
import { EntityNotFound, OperationError } from '../../platform/errors/index.js';
import { type StoredReport, VerificationRun } from './verification-run.js';
import type { ReportView, VerificationView } from './verifications.answer.js';
import { type RunningVerifier, startVerifier, type VerifierResult } from './verifier-process.js';

const HEARTBEAT_MS = 1_000;
/** A run without a heartbeat for this long is lost: another may start. */
const LOST_MS = 30_000;
const LOST = `its process did not report for ${LOST_MS / 1000} s`;
const SHOWN = 20;

/** Events, in decimal text. */
interface Reached {
  readonly done: string;
  readonly total: string;
}

/**
 * Verifications that users start. They are stored in a table, so that every instance knows their progress; a constraint
 * allows one running at a time.
 */
@Injectable()
export class VerificationRuns implements OnApplicationShutdown {
  readonly #logger = new Logger(VerificationRuns.name);
  /** One, unless another was lost to the database for a while. */
  readonly #running = new Map<RunningVerifier, Promise<void>>();
  #isEnding = false;

  constructor(@InjectRepository(VerificationRun) private readonly runs: Repository<VerificationRun>) {}

  /** @throws OperationError `VerificationUnderWay` while one runs at any instance */
  async start(actor: string): Promise<VerificationView> {
    const now = new Date();
    const run = {
      id: newId(REGISTRY_PARTITION),
      startedBy: actor,
      startedAt: now,
      seenAt: now,
      examined: '0',
      total: '0',
    };
    // A lost run makes room.
    const lost = { status: 'Running' as const, seenAt: LessThan(lostBefore(now)) };
    await this.runs.update(lost, { status: 'Failed', fault: LOST, finishedAt: now });
    const inserted = await this.runs
      .createQueryBuilder()
      .insert()
      .values({ ...run, status: 'Running' })
      .orIgnore()
      .returning('id')
      .execute();
    if ((inserted.raw as unknown[]).length === 0) {
      throw new OperationError('VerificationUnderWay', 'A verification is under way. Wait for its end.');
    }
    this.#run(run.id);
    return this.get(run.id);
  }

  /** Newest first, without their reports. */
  async newest(): Promise<VerificationView[]> {
    const runs = await this.runs.find({ order: { id: 'desc' }, take: SHOWN });
    const now = new Date();
    return runs.map((run) => show(run, now));
  }

  /** @throws EntityNotFound */
  async get(id: string): Promise<VerificationView> {
    const run =
      partitionOf(id) === undefined
        ? null
        : await this.runs.createQueryBuilder('run').addSelect('run.report').where({ id }).getOne();
    if (!run) throw new EntityNotFound('VerificationEntity', 'id', id);
    return { ...show(run, new Date()), report: run.report ? upToDate(run.report) : null };
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isEnding = true;
    for (const verifier of this.#running.keys()) verifier.stop();
    await Promise.all(this.#running.values());
  }

  #run(id: string): void {
    let reached: Reached = { done: '0', total: '0' };
    const verifier = startVerifier((done, total) => (reached = { done, total }));
    const heartbeat = setInterval(() => void this.#beat(id, reached, verifier), HEARTBEAT_MS);
    const ended = verifier.result
      .then((result) => this.#finish(id, reached, result))
      .catch((error: unknown) => this.#logger.error({ err: error }, 'the end of a verification could not be recorded'))
      .finally(() => {
        clearInterval(heartbeat);
        this.#running.delete(verifier);
      });
    this.#running.set(verifier, ended);
  }

  /** One that was taken for lost ends: another runs. */
  async #beat(id: string, { done, total }: Reached, verifier: RunningVerifier): Promise<void> {
    try {
      const seen = { examined: done, total, seenAt: new Date() };
      const { affected } = await this.runs.update({ id, status: 'Running' }, seen);
      if (affected === 0) verifier.stop();
    } catch (error) {
      this.#logger.warn({ err: error }, 'the progress of a verification could not be recorded');
    }
  }

  /** What took hours is not lost with a connection: it is tried for as long as nobody takes the run for lost. */
  async #finish(id: string, { done, total }: Reached, result: VerifierResult): Promise<void> {
    const end =
      'report' in result
        ? { status: 'Finished' as const, report: result.report }
        : { status: 'Failed' as const, fault: result.fault };
    for (const began = performance.now(); ;) {
      const now = new Date();
      try {
        const last = { ...end, examined: done, total, seenAt: now, finishedAt: now };
        return void (await this.runs.update({ id, status: 'Running' }, last));
      } catch (error) {
        if (this.#isEnding || performance.now() - began > LOST_MS) throw error;
        await setTimeout(HEARTBEAT_MS);
      }
    }
  }
}

function lostBefore(now: Date): Date {
  return new Date(now.getTime() - LOST_MS);
}

function show(run: VerificationRun, now: Date): VerificationView {
  const { id, startedBy, status, startedAt, seenAt, finishedAt, examined, total, ok, fault } = run;
  return {
    id,
    startedBy,
    status: status === 'Running' && seenAt < lostBefore(now) ? 'Lost' : status,
    startedAt,
    finishedAt,
    examined,
    total,
    ok,
    fault,
  };
}

/** Reports of earlier versions lack the checkpoints from outside. */
function upToDate({ warnings = [], partitions, ...report }: StoredReport): ReportView {
  return { ...report, partitions: partitions.map((one) => ({ ...one, outside: one.outside ?? 0 })), warnings };
}
