import { type Order, orderKey, orderReads, type PartnerSettings } from '../accounts/index.js';
import type { InlineProjection, LoadedRows, RecordedEvent, Reads } from '../event-store/index.js';
import type { OrderTerms } from './domain/orders.js';
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
  // It was decided on a row that somebody with the service's password may have changed for a moment.
  contradicts: (order, event) => {
    const { orderId, orderIsUnique } = event.data as { readonly orderId: string; readonly orderIsUnique?: true };
    if (!order || !orderIsUnique) return undefined;
    return { field: 'orderId', expected: 'an order that the account has once', found: orderId };
  },
  ...orderReads,
  save: () => [],
  remove: () => [],
};

/** What a command that makes an order reads and creates of it, and what it is decided on. */
export function orderOf(accountUid: string, orderId: string, { uniqueOrderIds }: PartnerSettings) {
  const order = orderKey(accountUid, orderId);
  const orders: Reads = { orders: [order] };
  return {
    reads: uniqueOrderIds ? orders : {},
    creates: uniqueOrderIds ? {} : orders,
    /** What is decided on. */
    termsOf: (rows: LoadedRows): OrderTerms => ({
      ordersAreUnique: uniqueOrderIds,
      orderIsTaken: uniqueOrderIds && rows.of(orderProjection).has(order),
    }),
  };
}
