import { type EventOf, type InlineProjection, type Statement, Table } from '../event-store/index.js';
import { AccountWebhookRemoved, AccountWebhookSet } from './domain/webhook.events.js';

/** Where an account is told from a position of the log on. */
export interface AccountWebhook {
  readonly id: string;
  readonly accountUid: string;
  readonly partnerUid: string;
  readonly position: bigint;
  /** `null`: nowhere. */
  readonly url: string | null;
  readonly headerName: string | null;
  /** The row of `secret` with the header's value. */
  readonly headerSecret: string | null;
  readonly at: Date;
}

export const accountWebhookTable = new Table<AccountWebhook>({
  table: 'account_webhook',
  columns: {
    id: 'uuid',
    accountUid: 'uuid',
    partnerUid: 'uuid',
    position: 'bigint',
    url: 'text',
    headerName: 'text',
    headerSecret: 'uuid',
    at: 'timestamptz',
  },
});

/**
 * Every address that an account had, so that a delivery follows from the log alone: it goes where the account was told
 * when the event was appended, however late a follower reads it.
 */
export const accountWebhookProjection: InlineProjection<AccountWebhook> = {
  name: 'accountWebhooks',
  keysOf: (event) => (AccountWebhookSet.is(event) || AccountWebhookRemoved.is(event) ? [event.data.id] : []),
  evolve: (_row, event) => accountWebhookOf(event as EventOf<typeof AccountWebhookSet | typeof AccountWebhookRemoved>),
  ...accountWebhookTable.inline(),
};

export function accountWebhookOf(event: EventOf<typeof AccountWebhookSet | typeof AccountWebhookRemoved>) {
  const { id, accountUid, partnerUid } = event.data;
  const { url, header } = AccountWebhookSet.is(event) ? event.data : { url: null };
  const { position, time: at } = event;
  const [headerName, headerSecret] = [header?.name ?? null, header?.secretId ?? null];
  return { id, accountUid, partnerUid, position, url, headerName, headerSecret, at };
}

/** The newest row of each account before a position, if any. */
export function accountWebhooksBefore(
  partition: number,
  moments: readonly { readonly accountUid: string; readonly position: bigint }[],
): Statement {
  return {
    name: 'account-webhooks-before',
    text: `
      select w.*, n.position as before
      from unnest($2::uuid[], $3::bigint[]) as n (account_uid, position)
      cross join lateral (
        select ${accountWebhookTable.columns} from account_webhook
        where partition = $1 and account_uid = n.account_uid and position < n.position
        order by position desc limit 1) w`,
    values: [partition, moments.map(({ accountUid }) => accountUid), moments.map(({ position }) => position)],
  };
}
