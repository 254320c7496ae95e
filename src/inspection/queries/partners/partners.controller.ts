import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { PARTNER_EXAMPLE, PartnerView } from '../../../accounts/index.js';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { InspectedAccount } from '../accounts/accounts.answer.js';
import { INSPECTED_ACCOUNT } from '../accounts/accounts.controller.js';
import { InspectAccountsOfPartner } from '../accounts/accounts.query.js';
import { InspectPartner, InspectPartners } from './partners.query.js';

/** Partners, and the accounts of one: the same answers under `/admin` and `/audit`. */
abstract class InspectPartnersController {
  constructor(protected readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'All partners that the caller may see',
    answer: PartnerView,
    list: true,
    example: done({ items: [PARTNER_EXAMPLE], nextCursor: null }),
  })
  async listPartners(@CallingViewer() viewer: Viewer, @ValidQuery(PageQuery) { limit, cursor }: PageQuery) {
    return done(await this.queries.execute(new InspectPartners(viewer, limit, cursor)));
  }

  @Get(':uid')
  @Answers({ summary: 'One partner', answer: PartnerView, example: done(PARTNER_EXAMPLE), errors: [404] })
  async getPartner(@CallingViewer() viewer: Viewer, @Param('uid') uid: string) {
    return done(await this.queries.execute(new InspectPartner(viewer, uid)));
  }

  @Get(':uid/accounts')
  @Answers({
    summary: "A partner's accounts, oldest first, with their balances",
    answer: InspectedAccount,
    list: true,
    example: done({ items: [INSPECTED_ACCOUNT], nextCursor: null }),
    errors: [404],
  })
  async listAccountsOfPartner(
    @CallingViewer() viewer: Viewer,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new InspectAccountsOfPartner(viewer, uid, limit, cursor)));
  }
}

@ApiTags('Operator')
@Controller('admin/partners')
@OperatorRoute()
export class OperatorPartnerReadsController extends InspectPartnersController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/partners')
@AuditorRoute()
export class AuditPartnersController extends InspectPartnersController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
