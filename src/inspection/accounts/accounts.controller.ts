import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { ACCOUNT_EXAMPLE, GetStatement, STATEMENT_EXAMPLE } from '../../accounts/index.js';
import { AuditorRoute } from '../../audit/index.js';
import { CallingViewer, ListAccessKeys, OperatorRoute, PERMISSIONS, type Viewer } from '../../auth/index.js';
import { Answers, done, Paged, parseLimit, parseMoment, PERIOD } from '../../platform/http/index.js';
import { BalanceSeries, parsePoints } from './balance-series.js';
import { InspectedAccounts } from './inspected-accounts.js';

const { current: _current, ...ACCOUNT } = ACCOUNT_EXAMPLE;
export const INSPECTED_ACCOUNT = {
  ...ACCOUNT,
  partnerUid: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  partition: 1,
  entries: 7,
  openedAt: '2026-11-20T14:04:05.123Z',
};
const ACCESS_KEY = {
  accessKey: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  name: 'Checkout',
  status: 'Active',
  permissions: [...PERMISSIONS],
  expiresAt: '2027-12-31T23:59:59.000Z',
  allowedIps: ['203.0.113.0/24'],
  issuedAt: '2026-11-20T14:04:05.123Z',
};

/** What operators and auditors read of accounts: the same answers under `/admin` and `/audit`. */
abstract class InspectAccountsController {
  constructor(
    private readonly accounts: InspectedAccounts,
    private readonly series: BalanceSeries,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers({ summary: 'One account', status: 200, example: done(INSPECTED_ACCOUNT), errors: [404] })
  async get(@CallingViewer() viewer: Viewer, @Param('uid') uid: string) {
    return done(await this.accounts.get(viewer, uid));
  }

  @Get('access-keys')
  @Paged()
  @Answers({
    summary: 'Access keys of an account, oldest first; secrets are not kept',
    status: 200,
    example: done({ items: [ACCESS_KEY], nextCursor: null }),
    nullable: ['name', 'expiresAt', 'allowedIps'],
    errors: [400, 404],
  })
  async accessKeys(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    await this.accounts.assertVisible(viewer, uid);
    return done(await this.queries.execute(new ListAccessKeys(uid, parseLimit(limit), cursor)));
  }

  @Get('statement')
  @Paged(...PERIOD)
  @Answers({
    summary: 'Movements on the available balance, newest first, with the balance after each',
    description: 'As the partner reads it. Follows the log, normally within a second.',
    status: 200,
    example: STATEMENT_EXAMPLE,
    nullable: ['transactionId'],
    errors: [400, 404],
  })
  async statement(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @Query('from') from?: string,
    @Query('to') to?: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    const { partnerUid } = await this.accounts.assertVisible(viewer, uid);
    const period = [parseMoment('from', from), parseMoment('to', to)] as const;
    return done(await this.queries.execute(new GetStatement(partnerUid, uid, ...period, parseLimit(limit), cursor)));
  }

  @Get('balances')
  @ApiQuery({ name: 'from', required: false, description: PERIOD[0].description, schema: { type: 'string' } })
  @ApiQuery({ name: 'to', required: false, description: PERIOD[1].description, schema: { type: 'string' } })
  @ApiQuery({
    name: 'points',
    required: false,
    schema: { type: 'integer', minimum: 2, maximum: 500, default: 200 },
    description: 'How many at most',
  })
  @Answers({
    summary: 'Balances over time, for a chart',
    description:
      'Balances after entries, oldest first: after every entry of the period where it has no more than `points`, else after as many, evenly chosen by their number, the first and the last among them. `before` is what it began with.',
    status: 200,
    example: done({
      before: { at: null, entry: 0, available: '0.00', held: '0.00' },
      points: [{ at: '2026-11-20T14:04:05.123Z', entry: 1, available: '1000.00', held: '0.00' }],
      entries: 1,
    }),
    errors: [400, 404],
  })
  async balances(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @Query('from') from?: string,
    @Query('to') to?: string,
    @Query('points') points?: string,
  ) {
    const { partition } = await this.accounts.assertVisible(viewer, uid);
    const period = { from: parseMoment('from', from), to: parseMoment('to', to) };
    return done(await this.series.read(partition, uid, period, parsePoints(points)));
  }
}

@ApiTags('Operator')
@Controller('admin/accounts/:uid')
@OperatorRoute()
export class OperatorAccountReadsController extends InspectAccountsController {
  constructor(accounts: InspectedAccounts, series: BalanceSeries, queries: QueryBus) {
    super(accounts, series, queries);
  }
}

@ApiTags('Audit')
@Controller('audit/accounts/:uid')
@AuditorRoute()
export class AuditAccountReadsController extends InspectAccountsController {
  constructor(accounts: InspectedAccounts, series: BalanceSeries, queries: QueryBus) {
    super(accounts, series, queries);
  }
}
