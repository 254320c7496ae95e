import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { AccountWebhooks } from '../../account-webhooks.js';
import { type AccountWebhookView, GetAccountWebhook, showAccountWebhook } from './account-webhook.query.js';

@QueryHandler(GetAccountWebhook)
export class GetAccountWebhookHandler implements IQueryHandler<GetAccountWebhook> {
  constructor(private readonly webhooks: AccountWebhooks) {}

  async execute({ accountUid, partnerUid }: GetAccountWebhook): Promise<AccountWebhookView> {
    await this.webhooks.assertOwner(accountUid, partnerUid);
    const newest = await this.webhooks.newest(accountUid);
    if (!newest || newest.url === null) throw new EntityNotFound('AccountWebhookEntity', 'accountUid', accountUid);
    return showAccountWebhook(newest, newest.url);
  }
}
