import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  ACCOUNT_EXAMPLE,
  AccountView,
  ChangePartnerSettings,
  DEFAULT_LIMITS_EXAMPLE,
  DEFAULT_SETTINGS,
  DefaultLimitsView,
  GetAccount,
  GetDefaultLimits,
  OpenAccount,
  PARTNER_EXAMPLE,
  RegisteredPartner,
  RegisterPartner,
  RotatedWebhookSecret,
  RotateWebhookSecret,
  SetDefaultLimits,
  SettingsView,
  showSettings,
} from '../accounts/index.js';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import { resultOf } from '../platform/errors/index.js';
import { Answers, done, RequestId, ValidBody } from '../platform/http/index.js';
import { parseTaxNumber } from '../platform/tax-number.js';
import { OpenAccountDto, PartnerSettingsDto, RegisterPartnerDto, toSettings } from './partners.dto.js';
import { PayoutLimitsDto, toLimits } from './payout-limits.dto.js';

const { uid: UID, settings: SETTINGS } = PARTNER_EXAMPLE;

@ApiTags('Operator')
@Controller('admin/partners')
@OperatorRoute()
export class PartnersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Register a partner',
    description: 'The webhook secret is shown this once.',
    status: 201,
    answer: RegisteredPartner,
    example: done({ uid: UID, name: 'Loja Exemplo Ltda', webhookSecret: 'whsec_…' }),
    reasons: ['TaxNumberAlreadyRegistered'],
  })
  async registerPartner(
    @ActingOperator() operator: Operator,
    @ValidBody(RegisterPartnerDto) body: RegisterPartnerDto,
    @RequestId() requestId: string,
  ) {
    const { value } = parseTaxNumber(body.taxNumber)!;
    return done(await this.commands.execute(new RegisterPartner(body.name, value, operatorActor(operator), requestId)));
  }

  @Patch(':uid/settings')
  @Answers({
    summary: "Change a partner's limits, charges and dates",
    description: 'Members that are absent stay as they are; null removes a limit or date, or restores a default.',
    answer: SettingsView,
    example: done(SETTINGS),
    errors: [404],
    reasons: ['MinimumAboveMaximum'],
  })
  async changePartnerSettings(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(PartnerSettingsDto) body: PartnerSettingsDto,
    @RequestId() requestId: string,
  ) {
    const changes = toSettings(body, DEFAULT_SETTINGS);
    return done(
      showSettings(
        await this.commands.execute(new ChangePartnerSettings(uid, changes, operatorActor(operator), requestId)),
      ),
    );
  }

  @Get(':uid/limits')
  @Answers({
    summary: "Limits of payouts of a partner's accounts that have none of their own",
    answer: DefaultLimitsView,
    example: done(DEFAULT_LIMITS_EXAMPLE),
    errors: [404],
  })
  async getDefaultLimits(@Param('uid') uid: string) {
    return done(await this.queries.execute(new GetDefaultLimits(uid)));
  }

  @Patch(':uid/limits')
  @Answers({
    summary: 'Change them',
    description:
      'Each account follows with its next payout, except in what was set for it. Members that are absent stay as they ' +
      'are; null takes a limit away. What is raised waits.',
    answer: DefaultLimitsView,
    example: done(DEFAULT_LIMITS_EXAMPLE),
    errors: [404],
  })
  async changeDefaultLimits(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(PayoutLimitsDto) body: PayoutLimitsDto,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new SetDefaultLimits(uid, toLimits(body), operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetDefaultLimits(uid))));
  }

  @Post(':uid/webhook-secret/rotate')
  @Answers({
    summary: 'Rotate the webhook secret; the old one signs too for 24 hours',
    status: 201,
    answer: RotatedWebhookSecret,
    example: done({ webhookSecret: 'whsec_…', previousValidUntil: '2026-11-21T14:04:05.123Z' }),
    errors: [404],
  })
  async rotateWebhookSecret(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @RequestId() requestId: string,
  ) {
    return done(await this.commands.execute(new RotateWebhookSecret(uid, operatorActor(operator), requestId)));
  }

  @Post(':uid/accounts')
  @Answers({
    summary: 'Open an account for a partner',
    status: 201,
    answer: AccountView,
    example: done({ ...ACCOUNT_EXAMPLE, current: false }),
    errors: [404],
  })
  async openAccount(
    @ActingOperator() operator: Operator,
    @Param('uid') partnerUid: string,
    @ValidBody(OpenAccountDto) body: OpenAccountDto,
    @RequestId() requestId: string,
  ) {
    const details = { ...body, taxNumber: parseTaxNumber(body.taxNumber)!.value };
    const { uid } = await this.commands.execute(
      new OpenAccount(partnerUid, details, operatorActor(operator), requestId),
    );
    return done(await resultOf(this.queries.execute(new GetAccount(uid))));
  }
}
