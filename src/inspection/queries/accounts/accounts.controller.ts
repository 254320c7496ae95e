import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  ACCOUNT_EXAMPLE,
  GetPayoutLimits,
  HOLD_EXAMPLE,
  HoldView,
  ListHolds,
  PAYOUT_LIMITS_EXAMPLE,
  PayoutLimitsView,
  STATEMENT_EXAMPLE,
  StatementQuery,
} from '../../../accounts/index.js';
import { AuditorRoute } from '../../../audit/index.js';
import { AccessKeyView, CallingViewer, OperatorRoute, PERMISSIONS, type Viewer } from '../../../auth/index.js';
import { Answers, done, IsCount, IsFrom, IsTo, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { BalanceSeriesView, InspectedAccount, InspectedStatementLine } from './accounts.answer.js';
import { InspectAccessKeys, InspectAccount, InspectStatement, ReadBalances } from './accounts.query.js';

const { current: _current, ...ACCOUNT } = ACCOUNT_EXAMPLE;
export const INSPECTED_ACCOUNT = {
  ...ACCOUNT,
  partnerUid: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  partition: 1,
  entries: 7,
  openedAt: '2026-11-20T14:04:05.123Z',
};
const INSPECTED_STATEMENT = done({
  ...STATEMENT_EXAMPLE.data,
  items: STATEMENT_EXAMPLE.data.items.map((line) => ({ ...line, counterpartyName: 'Maria Souza' })),
});
const ACCESS_KEY = {
  accessKey: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  name: 'Checkout',
  status: 'Active' as const,
  permissions: [...PERMISSIONS],
  expiresAt: '2027-12-31T23:59:59.000Z',
  allowedIps: ['203.0.113.0/24'],
  issuedAt: '2026-11-20T14:04:05.123Z',
};

class BalancesQuery {
  @IsFrom() from?: Date;
  @IsTo() to?: Date;
  @IsCount({ minimum: 2, maximum: 500, default: 200, description: 'How many at most' }) points = 200;
}

/** Back-office reads of accounts: the same answers under `/admin` and `/audit`. */
abstract class InspectAccountsController {
  constructor(protected readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'One account',
    answer: InspectedAccount,
    example: done(INSPECTED_ACCOUNT),
    errors: [404],
  })
  async inspectAccount(@CallingViewer() viewer: Viewer, @Param('uid') uid: string) {
    return done(await this.queries.execute(new InspectAccount(viewer, uid)));
  }

  @Get('access-keys')
  @Answers({
    summary: 'Access keys of an account, oldest first; secrets are not kept',
    answer: AccessKeyView,
    list: true,
    example: done({ items: [ACCESS_KEY], nextCursor: null }),
    errors: [404],
  })
  async listAccessKeys(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new InspectAccessKeys(viewer, uid, limit, cursor)));
  }

  @Get('statement')
  @Answers({
    summary: 'Movements on the available balance, newest first, with the balance after each',
    description: 'As the partner reads it, with the counterparty. Follows the log, normally within a second.',
    answer: InspectedStatementLine,
    list: true,
    example: INSPECTED_STATEMENT,
    errors: [404],
  })
  async inspectStatement(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @ValidQuery(StatementQuery) query: StatementQuery,
  ) {
    return done(await this.queries.execute(new InspectStatement(viewer, uid, query)));
  }

  @Get('limits')
  @Answers({
    summary: 'What the account may pay out, what of it is used, and what is left',
    description: 'As the partner reads it.',
    answer: PayoutLimitsView,
    example: done(PAYOUT_LIMITS_EXAMPLE),
    errors: [404],
  })
  async inspectPayoutLimits(@CallingViewer() { partnerUid }: Viewer, @Param('uid') uid: string) {
    return done(await this.queries.execute(new GetPayoutLimits(uid, partnerUid ?? undefined)));
  }

  @Get('holds')
  @Answers({
    summary: 'Holds on an account, newest first',
    answer: HoldView,
    list: true,
    example: done({ items: [HOLD_EXAMPLE], nextCursor: null }),
    errors: [404],
  })
  async listAccountHolds(
    @CallingViewer() { partnerUid }: Viewer,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new ListHolds(uid, partnerUid ?? undefined, limit, cursor)));
  }

  @Get('balances')
  @Answers({
    summary: 'Balances over time, for a chart',
    description:
      'Balances after entries, oldest first: after every entry of the period if it has at most `points`, else after at most that many, evenly chosen by position, the last included. `before` are the balances at its beginning.',
    answer: BalanceSeriesView,
    example: done({
      before: { at: null, entry: 0, available: '0.00', held: '0.00', blocked: '0.00' },
      points: [{ at: '2026-11-20T14:04:05.123Z', entry: 1, available: '1000.00', held: '0.00', blocked: '0.00' }],
      entries: 1,
    }),
    errors: [404],
  })
  async readBalances(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @ValidQuery(BalancesQuery) { points, ...period }: BalancesQuery,
  ) {
    return done(await this.queries.execute(new ReadBalances(viewer, uid, period, points)));
  }
}

@ApiTags('Operator')
@Controller('admin/accounts/:uid')
@OperatorRoute()
export class OperatorAccountReadsController extends InspectAccountsController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/accounts/:uid')
@AuditorRoute()
export class AuditAccountReadsController extends InspectAccountsController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
