import { Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  ChangeContact,
  CONTACT_EXAMPLE,
  GetContact,
  ListContacts,
  RegisterContact,
  RemoveContact,
  SecureContactView,
} from '../accounts/index.js';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import { resultOf } from '../platform/errors/index.js';
import { Answers, done, PageQuery, RequestId, ValidBody, ValidQuery } from '../platform/http/index.js';
import { parseTaxNumber } from '../platform/tax-number.js';
import { AmountLimitsDto, RegisterContactDto, toAmounts } from './payout-limits.dto.js';

@ApiTags('Operator')
@Controller('admin/accounts/:uid/contacts')
@OperatorRoute()
export class OperatorContactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers({
    summary: 'Secure contacts of an account',
    answer: SecureContactView,
    list: true,
    example: done({ items: [CONTACT_EXAMPLE], nextCursor: null }),
    errors: [404],
  })
  async listAccountContacts(@Param('uid') uid: string, @ValidQuery(PageQuery) { limit, cursor }: PageQuery) {
    return done(await this.queries.execute(new ListContacts(uid, undefined, limit, cursor)));
  }

  @Post()
  @Answers({
    summary: 'Register a payee with limits of its own',
    description: "They hold instead of the account's, from `inForceFrom` on: after the delay of a raise.",
    status: 201,
    answer: SecureContactView,
    example: done(CONTACT_EXAMPLE),
    errors: [404],
    reasons: ['ContactAlreadyRegistered', 'TooManyContacts'],
  })
  async registerContact(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(RegisterContactDto) { name, taxNumber, limits }: RegisterContactDto,
    @RequestId() requestId: string,
  ) {
    const contact = { name, taxNumber: parseTaxNumber(taxNumber)!.value, limits: toAmounts(limits) };
    const id = await this.commands.execute(new RegisterContact(uid, contact, operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetContact(uid, id))));
  }

  @Patch(':id')
  @Answers({
    summary: 'Change the limits of a secure contact',
    description: 'Members that are absent stay as they are; null takes a limit away. What is raised waits.',
    answer: SecureContactView,
    example: done(CONTACT_EXAMPLE),
    errors: [404],
  })
  async changeContact(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @Param('id') id: string,
    @ValidBody(AmountLimitsDto) body: AmountLimitsDto,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new ChangeContact(uid, id, toAmounts(body), operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetContact(uid, id))));
  }

  @Post(':id/remove')
  @HttpCode(200)
  @Answers({
    summary: 'Remove a secure contact',
    description: "At once: the account's limits hold for it again.",
    answer: SecureContactView,
    example: done(CONTACT_EXAMPLE),
    errors: [404],
  })
  async removeContact(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @Param('id') id: string,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new RemoveContact(uid, id, operatorActor(operator), requestId));
    return done(await resultOf(this.queries.execute(new GetContact(uid, id))));
  }
}
