import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  AddCautionaryRule,
  CAUTIONARY_RULE_EXAMPLE,
  CautionaryRuleView,
  ListCautionaryRules,
  RemoveCautionaryRule,
  showCautionaryRule,
} from '../accounts/index.js';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import { Answers, done, RequestId, UUID, ValidBody } from '../platform/http/index.js';
import { CautionaryRuleDto, toRule } from './cautionary-rules.dto.js';

class RemovedRuleView {
  @ApiProperty(UUID) readonly id: string;
}

/** Which deposits of a partner's accounts arrive as blocked. */
@ApiTags('Operator')
@Controller('admin/partners/:uid/cautionary-rules')
@OperatorRoute()
export class CautionaryRulesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers({
    summary: "A partner's rules of cautionary holds, oldest first",
    description: 'Of those that apply to a deposit, the first one decides.',
    answer: CautionaryRuleView,
    list: true,
    example: done({ items: [CAUTIONARY_RULE_EXAMPLE], nextCursor: null }),
    errors: [404],
  })
  async listCautionaryRules(@Param('uid') uid: string) {
    return done({ items: await this.queries.execute(new ListCautionaryRules(uid)), nextCursor: null });
  }

  @Post()
  @Answers({
    summary: 'Block deposits on their arrival',
    description:
      'Those to which all conditions of the rule apply, from now on, for at most 72 hours. A rule is for accounts of ' +
      'natural persons, unless it says otherwise.',
    status: 201,
    answer: CautionaryRuleView,
    example: done(CAUTIONARY_RULE_EXAMPLE),
    errors: [404],
    reasons: ['RuleWithoutCondition', 'TooManyRules'],
  })
  async addCautionaryRule(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(CautionaryRuleDto) body: CautionaryRuleDto,
    @RequestId() requestId: string,
  ) {
    const command = new AddCautionaryRule(uid, toRule(body), operatorActor(operator), requestId);
    return done(showCautionaryRule(await this.commands.execute(command)));
  }

  @Post(':id/remove')
  @HttpCode(200)
  @Answers({
    summary: 'Remove a rule of cautionary holds',
    description: 'Holds that it placed stay as they are.',
    answer: RemovedRuleView,
    example: done({ id: CAUTIONARY_RULE_EXAMPLE.id }),
    errors: [404],
  })
  async removeCautionaryRule(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @Param('id') id: string,
    @RequestId() requestId: string,
  ) {
    await this.commands.execute(new RemoveCautionaryRule(uid, id, operatorActor(operator), requestId));
    return done({ id });
  }
}
