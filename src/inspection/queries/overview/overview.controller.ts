import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import { Forbidden } from '../../../platform/errors/index.js';
import {
  Answers,
  done,
  type Envelope,
  IsFrom,
  IsGivenOnce,
  IsTo,
  type Json,
  ValidQuery,
} from '../../../platform/http/index.js';
import { LatencySeriesView, OverviewView } from './overview.answer.js';
import { ReadLatency, ReadOverview } from './overview.query.js';
import { periodOf } from '../../projection/period.js';

const COUNT = { type: 'CashOut', state: 'Completed', count: 12, amount: '120.50' } as const;
const EXAMPLE: Envelope<Json<OverviewView>> = done({
  from: '2026-11-20T13:05:00.000Z',
  to: '2026-11-20T14:05:00.000Z',
  step: 'minute',
  series: [{ at: '2026-11-20T14:04:00.000Z', ...COUNT }],
  totals: [COUNT],
  success: [{ type: 'CashOut', ended: 13, completed: 12, rate: 0.9231 }],
  latency: [{ type: 'CashOut', count: 12, p50Ms: 152, p99Ms: 431 }],
  queues: [{ kind: 'send-payment', waiting: 1, oldestSeconds: 0.2 }],
  followers: [{ name: 'entries', partition: 1, behind: 0 }],
  deliveries: { due: 2, oldestDueSeconds: 0.4, waiting: 1, retrying: 1, stopped: 0, exhausted: 0, capped: false },
  holds: { count: 3, blocked: '1530.00', capped: false },
  cases: { count: 2, overdue: 1, capped: false },
  partitionsAway: [],
});

const LATENCY: Envelope<Json<LatencySeriesView>> = done({
  from: EXAMPLE.data.from,
  to: EXAMPLE.data.to,
  step: 'minute',
  series: [{ at: '2026-11-20T14:04:00.000Z', type: 'CashOut', count: 12, p50Ms: 152, p99Ms: 431 }],
  partitionsAway: [],
});

class OverviewQuery {
  @IsGivenOnce() @IsTo('; now if absent') to?: Date;
  @IsGivenOnce() @IsFrom('; an hour before `to` if absent') from?: Date;
}

/** The overview of the service: the same answer under `/admin` and `/audit`. */
abstract class OverviewController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Transactions over time, success, latency, queues, followers, deliveries, holds and MED cases',
    description:
      'Counts are of transitions to a state in a step of time: minutes up to 6 hours, hours up to 14 days, else days (UTC). Latency is from registration to completion, exact to a tenth. Not for an auditor of one partner. `capped`: there are more deliveries of a kind, holds or cases than were counted. `partitionsAway`: partitions that did not answer; they are not counted.',
    answer: OverviewView,
    example: EXAMPLE,
    errors: [403],
  })
  async readOverview(@CallingViewer() viewer: Viewer, @ValidQuery(OverviewQuery) query: OverviewQuery) {
    if (viewer.partnerUid !== null) throw new Forbidden();
    return done(await this.queries.execute(new ReadOverview(periodOf(query, new Date()))));
  }

  @Get('latency')
  @Answers({
    summary: 'Latency over time, by type',
    description:
      'From registration to completion, exact to a tenth, in the steps of the overview; steps without completions are left out. Not for an auditor of one partner.',
    answer: LatencySeriesView,
    example: LATENCY,
    errors: [403],
  })
  async readLatency(@CallingViewer() viewer: Viewer, @ValidQuery(OverviewQuery) query: OverviewQuery) {
    if (viewer.partnerUid !== null) throw new Forbidden();
    return done(await this.queries.execute(new ReadLatency(periodOf(query, new Date()))));
  }
}

@ApiTags('Operator')
@Controller('admin/overview')
@OperatorRoute()
export class OperatorOverviewController extends OverviewController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/overview')
@AuditorRoute()
export class AuditOverviewController extends OverviewController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
