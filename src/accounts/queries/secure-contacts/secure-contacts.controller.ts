import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { CONTACT_EXAMPLE, SecureContactView } from './secure-contact-view.js';
import { ListContacts } from './secure-contacts.query.js';

@ApiTags('Accounts')
@Controller('partners-int/accounts/:uid/contacts')
@PartnerRoute('accounts:read')
export class SecureContactsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'Secure contacts of an account: payees with limits of their own',
    description: "Registered by the operator. Payouts to a contact count against its limits instead of the account's.",
    answer: SecureContactView,
    list: true,
    example: done({ items: [CONTACT_EXAMPLE], nextCursor: null }),
    errors: [404],
  })
  async listContacts(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new ListContacts(uid, caller.partnerUid, limit, cursor)));
  }
}
