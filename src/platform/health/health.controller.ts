import { Controller, Get, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { Database } from '../database/index.js';
import { ServiceUnavailable } from '../errors/index.js';
import { Answers } from '../http/index.js';

const MAX_CLOCK_DIFFERENCE_MS = 1_000;

/** Whether the database answers, and whether its clock and ours agree to a second. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly database: Database,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check() {
    const indicator = this.indicators.check('database');
    const asked = Date.now();
    try {
      const [row] = await this.database.query<{ now: Date }>({
        name: 'health',
        text: 'select clock_timestamp() as now',
      });
      const answered = Date.now();
      const now = row!.now.getTime();
      // Its time was taken somewhere between question and answer.
      const difference = Math.max(asked - now, now - answered, 0);
      return difference > MAX_CLOCK_DIFFERENCE_MS
        ? indicator.down(`its clock differs from ours by ${difference} ms`)
        : indicator.up();
    } catch {
      return indicator.down('it does not answer');
    }
  }
}

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseHealth,
  ) {}

  @Get('live')
  @Answers({ summary: 'The process runs', status: 200, example: { status: 'ok' }, public: true })
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @Answers({
    summary: 'The process can serve: its database answers, and their clocks agree to a second',
    status: 200,
    example: { status: 'ok', details: { database: { status: 'up' } } },
    public: true,
  })
  async ready() {
    try {
      const { status, details } = await this.health.check([() => this.database.check()]);
      return { status, details };
    } catch {
      throw new ServiceUnavailable('The database does not answer, or its clock and ours differ by more than a second.');
    }
  }
}
