import { Controller, Get, Inject, Injectable, type ServiceUnavailableException } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { type Config, CONFIG, configurationWarnings } from '../config/index.js';
import { Database, type DatabaseState, databaseState, SharedReads } from '../database/index.js';
import { ServiceUnavailable } from '../errors/index.js';
import { Answers } from '../http/index.js';
import { Peers } from '../workers/index.js';
import { Liveness, ReadinessView } from './health.answer.js';
import { Readiness } from './readiness.js';

const MAX_CLOCK_DIFFERENCE_MS = 1_000;
/** A check that takes longer has failed. */
const PATIENCE_MS = 2_000;
const TICKS = 10;
/** Calls of other workers: why they cannot serve. */
const KIND = 'problems';
/** A worker that ends, or gives no answer in this time, does not keep the others from serving. */
const PEERS_MS = 500;

/** Whether the database answers in time, is writable, and has a clock within a second of ours. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly database: Database,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check() {
    const indicator = this.indicators.check('database');
    try {
      const { standby, readOnly, clockDifference } = await this.#ask();
      if (standby) return indicator.down('it is a standby, which cannot be written to');
      if (readOnly) return indicator.down('it takes no writes');
      return clockDifference > MAX_CLOCK_DIFFERENCE_MS
        ? indicator.down(`its clock differs from ours by ${clockDifference} ms`)
        : indicator.up();
    } catch {
      return indicator.down('it does not answer');
    }
  }

  async #ask(): Promise<DatabaseState> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // A tick counts once, however late: of a time in which this process was stalled the database knows nothing.
      let ticks = 0;
      timer = setInterval(() => (ticks += 1) === TICKS && reject(new DatabaseSilent()), PATIENCE_MS / TICKS);
    });
    const asked = databaseState(this.database);
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearInterval(timer);
      asked.catch(() => undefined);
    }
  }
}

class DatabaseSilent extends Error {}

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  /** Anybody may ask, without a key. */
  readonly #asked = new SharedReads<ReadinessView>();

  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseHealth,
    private readonly readiness: Readiness,
    private readonly peers: Peers,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    peers.serve(KIND, () => readiness.problems());
  }

  @Get('live')
  @Answers({
    summary: 'The process runs',
    answer: Liveness,
    bare: true,
    example: { status: 'ok' },
    public: true,
  })
  getLiveness() {
    return { status: 'ok' as const };
  }

  @Get('ready')
  @Answers({
    summary: 'The process can serve: its database answers, and their clocks agree to a second',
    description:
      '`details.configuration`, where it is there, has warnings about settings, and `details.partitions` names those that ' +
      'are away with a node of the database: neither keeps it from serving.',
    answer: ReadinessView,
    bare: true,
    example: { status: 'ok', details: { database: { status: 'up' } } },
    public: true,
  })
  getReadiness(): Promise<ReadinessView> {
    return this.#asked.run('', () => this.#readiness());
  }

  async #readiness(): Promise<ReadinessView> {
    const [problem] = (await Promise.all([this.readiness.problems(), this.#ofOthers()])).flat();
    if (problem) throw new ServiceUnavailable(`Not ready: ${problem}.`);
    try {
      await this.health.check([() => this.database.check()]);
      const warnings = configurationWarnings(this.config);
      const away = this.readiness.partitionsAway();
      return {
        status: 'ok',
        details: {
          database: { status: 'up' },
          ...(away.length > 0 && { partitions: { status: 'up', away } }),
          ...(warnings.length > 0 && { configuration: { status: 'up', warnings } }),
        },
      };
    } catch (error) {
      const { details } = (error as ServiceUnavailableException).getResponse() as HealthCheckResult;
      throw new ServiceUnavailable(`Not ready: the database: ${details.database?.message}.`);
    }
  }

  /** Why other workers of the service cannot serve: a client cannot choose its worker. */
  async #ofOthers(): Promise<string[]> {
    if (this.peers.isAlone) return [];
    return ((await this.peers.callAll(KIND, undefined, PEERS_MS)) as string[][]).flat();
  }
}
