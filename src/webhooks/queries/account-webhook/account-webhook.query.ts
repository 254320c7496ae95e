import { Query } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { MOMENT, UUID } from '../../../platform/http/index.js';
import type { AccountWebhook } from '../../account-webhook.projection.js';

/** Where an account's partner is told what happens to it. */
export class AccountWebhookView {
  @ApiProperty(UUID) readonly accountUid: string;
  @ApiProperty({ example: 'https://partner.example/webhooks/account' }) readonly url: string;
  /** `null` for none; its value is not shown */
  readonly customHeaderName: string | null;
  /** What happens from then on is told here */
  @ApiProperty(MOMENT) readonly since: string;
}

export class RemovedAccountWebhook {
  readonly removed: true;
}

/** The address of a partner's own account. */
export class GetAccountWebhook extends Query<AccountWebhookView> {
  constructor(
    readonly accountUid: string,
    readonly partnerUid: string,
  ) {
    super();
  }
}

export function showAccountWebhook({ accountUid, headerName, at }: AccountWebhook, url: string): AccountWebhookView {
  return { accountUid, url, customHeaderName: headerName, since: at.toISOString() };
}

export const ACCOUNT_WEBHOOK_EXAMPLE: AccountWebhookView = {
  accountUid: '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b',
  url: 'https://partner.example/webhooks/account',
  customHeaderName: null,
  since: '2026-11-20T14:04:05.123Z',
};
