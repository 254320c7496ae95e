import type { QueryResultRow } from 'pg';
import { accountProjection, notificationOf, transactionTable, transactionProjection } from '../../accounts/index.js';
import type { RecordedEvent, RunStatement, Statement } from '../../event-store/index.js';
import { accountWebhooksBefore, accountWebhookTable } from '../account-webhook.projection.js';
import { changedTransaction, deliveryOf } from '../domain/change-of-state.js';
import type { NewDelivery } from '../domain/delivery.js';
import { testDelivery } from '../domain/test-message.js';
import { WebhookTestRequested } from '../domain/webhook.events.js';
import { notifiedAt } from '../notified-at.js';

/** The deliveries caused by a batch of events, in log order. @param run in the follower's own transaction */
export async function deliveriesOf(
  run: RunStatement,
  partition: number,
  events: readonly RecordedEvent[],
): Promise<NewDelivery[]> {
  const changes = await changesOfState(run, partition, events);
  const notifications = await notificationsOfAccounts(run, partition, events);
  const tests = events.filter((event) => WebhookTestRequested.is(event)).map(testDelivery);
  return [...changes, ...notifications, ...tests].sort((a, b) => Number(a.position - b.position));
}

/** Deliveries for the changes of state among the events. */
async function changesOfState(
  run: RunStatement,
  partition: number,
  events: readonly RecordedEvent[],
): Promise<NewDelivery[]> {
  const changes = events.flatMap((event) => {
    const id = changedTransaction(event);
    return id === undefined ? [] : [{ event, id }];
  });
  if (changes.length === 0) return [];
  const read = async <T>(statement: Statement, parse: (row: QueryResultRow) => T) => (await run(statement)).map(parse);
  const ids = [...new Set(changes.map(({ id }) => id))];
  const transactions = await read(transactionProjection.load(partition, ids), transactionTable.parse);
  const uids = [...new Set(transactions.map(({ accountUid }) => accountUid))];
  const accounts = await read(accountProjection.load(partition, uids), (row) => accountProjection.parse(row));
  const partnerOf = new Map(accounts.map(({ uid, partnerUid }) => [uid, partnerUid]));
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  return changes.flatMap(({ event, id }) => {
    const transaction = byId.get(id)!;
    return deliveryOf(event, transaction, partnerOf.get(transaction.accountUid)!) ?? [];
  });
}

/** Deliveries of what accounts are told of, where the account had an address then. */
async function notificationsOfAccounts(
  run: RunStatement,
  partition: number,
  events: readonly RecordedEvent[],
): Promise<NewDelivery[]> {
  const told = events.flatMap((event) => {
    const notification = notificationOf(event);
    return notification ? [{ event, notification }] : [];
  });
  if (told.length === 0) return [];
  const moments = told.map(({ event: { position }, notification: { accountUid } }) => ({ accountUid, position }));
  const rows = await run(accountWebhooksBefore(partition, moments));
  const addresses = new Map(rows.map((row) => [BigInt(row.before as string), accountWebhookTable.parse(row)]));
  return told.flatMap(
    ({ event, notification }) => notifiedAt(event, notification, addresses.get(event.position)) ?? [],
  );
}
