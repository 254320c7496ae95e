import { Controller, Param, Patch, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  ACCOUNT_EXAMPLE,
  AccountView,
  ChangeAccountStatus,
  CreditAccount,
  DryRunView,
  GetAccount,
  GetAccountOwner,
  GetPayoutLimits,
  PAYOUT_LIMITS_EXAMPLE,
  PayoutLimitsView,
  previewFor,
  SetPayoutLimits,
} from '../accounts/index.js';
import {
  ActingOperator,
  IssueAccessKey,
  IssuedAccessKey,
  type Operator,
  operatorActor,
  OperatorRoute,
} from '../auth/index.js';
import { resultOf } from '../platform/errors/index.js';
import {
  Answers,
  done,
  DryRun,
  dryRunAnswer,
  Idempotency,
  type IdempotentRequest,
  markReplayed,
  OptionalBody,
  parseDate,
  RequestId,
  ValidBody,
} from '../platform/http/index.js';
import { formatAmount, parseAmount } from '../platform/money.js';
import { AccessKeyDto, CreditDto, ReasonDto, toNetworks } from './accounts.dto.js';
import { CreditView } from './operator.answer.js';
import { PayoutLimitsDto, toLimits } from './payout-limits.dto.js';

const UID = ACCOUNT_EXAMPLE.uid;

@ApiTags('Operator')
@Controller('admin/accounts/:uid')
@OperatorRoute()
export class OperatorAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('deactivate')
  @Answers({
    summary: 'Deactivate an account',
    answer: AccountView,
    example: done({ ...ACCOUNT_EXAMPLE, status: 'Inactive', current: false }),
    errors: [404],
  })
  async deactivateAccount(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(ReasonDto) { reason }: ReasonDto,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new ChangeAccountStatus(uid, 'deactivate', reason, operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetAccount(uid))));
  }

  @Post('activate')
  @Answers({
    summary: 'Activate an account again',
    answer: AccountView,
    example: done({ ...ACCOUNT_EXAMPLE, current: false }),
    errors: [404],
  })
  async activateAccount(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(ReasonDto) { reason }: ReasonDto,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new ChangeAccountStatus(uid, 'activate', reason, operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetAccount(uid))));
  }

  @Patch('limits')
  @Answers({
    summary: "Change the limits of an account's payouts",
    description:
      "Members that are absent stay as they are; null takes a limit away, and the partner's default with it. What is " +
      'lowered is lowered at once, what is raised waits; `next` says until when.',
    answer: PayoutLimitsView,
    example: done(PAYOUT_LIMITS_EXAMPLE),
    errors: [404],
  })
  async changePayoutLimits(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(PayoutLimitsDto) body: PayoutLimitsDto,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new SetPayoutLimits(uid, toLimits(body), operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetPayoutLimits(uid))));
  }

  @Post('credits')
  @Answers({
    summary: 'Fund an account',
    status: 201,
    answer: CreditView,
    example: done({ id: UID, uid: UID, amount: '1000.00', date: '2026-11-20T14:04:05.123Z' }),
    errors: [404],
    reasons: ['AmountMustBeGreaterThanZero', 'DestinationAccountIsNotActive', 'BalanceLimitExceeded'],
    idempotent: true,
    dryRun: DryRunView,
  })
  async creditAccount(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(CreditDto) body: CreditDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const amount = parseAmount(body.amount)!;
    const preview = await previewFor(this.queries, isDryRun, uid);
    const credit = await this.commands.execute(
      new CreditAccount(uid, amount, body.reason, operatorActor(operator), requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, credit.replayed);
    return done({ id: credit.id, uid, amount: formatAmount(credit.amount), date: credit.date });
  }

  @Post('access-keys')
  @ApiBody({ type: AccessKeyDto, required: false })
  @Answers({
    summary: 'Issue an access key',
    description: 'The secret is shown this once; only a keyed hash of it is kept.',
    status: 201,
    answer: IssuedAccessKey,
    example: done({ accessKey: UID, secret: 'sk_…' }),
    errors: [404],
  })
  async issueAccessKey(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @OptionalBody(AccessKeyDto) body: AccessKeyDto,
    @RequestId() requestId: string,
  ) {
    const account = await this.queries.execute(new GetAccountOwner(uid));
    const details = {
      name: body.name,
      permissions: body.permissions,
      expiresAt: body.expiresAt === undefined ? undefined : parseDate(body.expiresAt),
      allowedIps: body.allowedIps && toNetworks(body.allowedIps),
    };
    return done(await this.commands.execute(new IssueAccessKey(account, details, operatorActor(operator), requestId)));
  }
}
