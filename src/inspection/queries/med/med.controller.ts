import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import {
  GetCaseSteps,
  GetInfraction,
  INFRACTION_STORY_EXAMPLE,
  InfractionStoryView,
  InfractionsQuery,
  ListInfractions,
  OPERATOR_INFRACTION_EXAMPLE,
  OperatorInfractionView,
  showToOperator,
} from '../../../med/index.js';
import { Answers, done, ValidQuery } from '../../../platform/http/index.js';

/** Back-office reads of MED cases: the same answers under `/admin` and `/audit`. */
abstract class InspectMedController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Reports of infractions about deposits (MED), newest first',
    answer: OperatorInfractionView,
    list: true,
    example: done({ items: [OPERATOR_INFRACTION_EXAMPLE], nextCursor: null }),
  })
  async listReportedInfractions(
    @CallingViewer() viewer: Viewer,
    @ValidQuery(InfractionsQuery) { status, limit, cursor }: InfractionsQuery,
  ) {
    const list = new ListInfractions(ownedBy(viewer), status, limit, cursor);
    const { items, nextCursor } = await this.queries.execute(list);
    return done({ items: items.map(showToOperator), nextCursor });
  }

  @Get(':id')
  @Answers({
    summary: 'One report, and what happened to it',
    answer: InfractionStoryView,
    example: done(INFRACTION_STORY_EXAMPLE),
    errors: [404],
  })
  async readReportedInfraction(@CallingViewer() viewer: Viewer, @Param('id') id: string) {
    const found = await this.queries.execute(new GetInfraction(id, ownedBy(viewer)));
    return done({ ...showToOperator(found), story: await this.queries.execute(new GetCaseSteps(id)) });
  }
}

const ownedBy = ({ partnerUid }: Viewer) => (partnerUid === null ? {} : { partnerUid });

@ApiTags('Operator')
@Controller('admin/med')
@OperatorRoute()
export class OperatorMedReadsController extends InspectMedController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/med')
@AuditorRoute()
export class AuditMedController extends InspectMedController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
