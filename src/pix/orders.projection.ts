import { type Order, orderKey, orderReads, type PartnerSettings } from '../accounts/index.js';
import type { InlineProjection, LoadedRows, RecordedEvent, Reads } from '../event-store/index.js';
import { CashInRegistered } from './domain/events/cash-in.events.js';
import { CashOutRegistered, CashOutScheduled } from './domain/events/cash-out.events.js';

/**
 * Which orders an account has had, for partners whose orders must be unique. It is a view of the transactions, so it
 * writes no table of its own; it is read only where the setting is on, and costs nothing where it is off.
 */
export const orderProjection: InlineProjection<Order> = {
  name: 'orders',
  keysOf: (event: RecordedEvent) =>
    CashInRegistered.is(event) || CashOutRegistered.is(event) || CashOutScheduled.is(event)
      ? [orderKey(event.data.accountUid, event.data.orderId)]
      : [],
  evolve: (_order, _event, key) => ({ key }),
  ...orderReads,
  save: () => [],
  remove: () => [],
};

/** What a command that makes an order reads and creates of it, and whether the account may not have it again. */
export function orderOf(accountUid: string, orderId: string, { uniqueOrderIds }: PartnerSettings) {
  const order = orderKey(accountUid, orderId);
  const orders: Reads = { orders: [order] };
  return {
    reads: uniqueOrderIds ? orders : {},
    creates: uniqueOrderIds ? {} : orders,
    isTaken: (rows: LoadedRows) => uniqueOrderIds && rows.of(orderProjection).has(order),
  };
}
