import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done, IsChoice, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { INFRACTION_STATES, type InfractionStatus } from '../../domain/infraction.js';
import { INFRACTION_EXAMPLE, InfractionView, showInfraction } from './infraction-view.js';
import { GetInfraction, ListInfractions } from './infractions.query.js';

export class InfractionsQuery extends PageQuery {
  @IsChoice('Cases of that status alone', INFRACTION_STATES) status?: InfractionStatus;
}

@ApiTags('MED')
@Controller('partners-int/med')
@PartnerRoute('accounts:read')
export class InfractionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'Deposits of the account that their payers report as fraud, newest first',
    answer: InfractionView,
    list: true,
    example: done({ items: [INFRACTION_EXAMPLE], nextCursor: null }),
  })
  async listInfractions(
    @Caller() { accountUid }: Principal,
    @ValidQuery(InfractionsQuery) { status, limit, cursor }: InfractionsQuery,
  ) {
    const { items, nextCursor } = await this.queries.execute(
      new ListInfractions({ accountUid }, status, limit, cursor),
    );
    return done({ items: items.map(showInfraction), nextCursor });
  }

  @Get(':id')
  @ReadsInTurn()
  @Answers({
    summary: 'One report about a deposit',
    answer: InfractionView,
    example: done(INFRACTION_EXAMPLE),
    errors: [404],
  })
  async readInfraction(@Caller() { accountUid }: Principal, @Param('id') id: string) {
    return done(showInfraction(await this.queries.execute(new GetInfraction(id, { accountUid }))));
  }
}
