import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import { PAYOUT_FILE_EXAMPLE, PayoutFileView } from '../../../payout-files/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { InspectPayoutFiles } from './payout-files.query.js';

/** The files of a partner: the same answer under `/admin` and `/audit`. */
abstract class InspectPayoutFilesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: "A partner's files of payouts, newest first, with their progress",
    answer: PayoutFileView,
    list: true,
    example: done({ items: [PAYOUT_FILE_EXAMPLE], nextCursor: null }),
    errors: [404],
  })
  async listPayoutFilesOfPartner(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new InspectPayoutFiles(viewer, uid, limit, cursor)));
  }
}

@ApiTags('Operator')
@Controller('admin/partners/:uid/payout-files')
@OperatorRoute()
export class OperatorPayoutFilesController extends InspectPayoutFilesController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/partners/:uid/payout-files')
@AuditorRoute()
export class AuditPayoutFilesController extends InspectPayoutFilesController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
