import { Injectable } from '@nestjs/common';
import { Registry } from '../accounts/index.js';
import { partitionOf } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import { EntityNotFound } from '../platform/errors/index.js';
import { type AccountWebhook, accountWebhookTable } from './account-webhook.projection.js';

/** Reads the addresses at which accounts are told. */
@Injectable()
export class AccountWebhooks {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
  ) {}

  /** @throws EntityNotFound unless the account is the partner's */
  async assertOwner(accountUid: string, partnerUid: string): Promise<void> {
    const facts = await this.registry.facts(accountUid);
    if (facts.partnerUid !== partnerUid) throw new EntityNotFound('CustomerAccountEntity', 'uid', accountUid);
  }

  /** The newest request of an account; its url is `null` where that was a removal. */
  async newest(accountUid: string): Promise<AccountWebhook | undefined> {
    const [row] = await this.database.query({
      name: 'account-webhook',
      text: `
        select ${accountWebhookTable.columns} from account_webhook
        where partition = $1 and account_uid = $2
        order by position desc limit 1`,
      values: [partitionOf(accountUid)!, accountUid],
    });
    return row && accountWebhookTable.parse(row);
  }
}
