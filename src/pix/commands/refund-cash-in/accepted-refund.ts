import { type AccountFacts, summarise } from '../../../accounts/index.js';
import type { EventOf } from '../../../event-store/index.js';
import type { Config } from '../../../platform/config/index.js';
import type { RefundRegistered } from '../../domain/events/refund.events.js';
import type { AcceptedRefund } from './refund-cash-in.command.js';

/** A refund as it was accepted. @param holder of the account that it is taken from */
export function acceptedRefund(
  { data, time }: EventOf<typeof RefundRegistered>,
  replayed: boolean,
  holder: AccountFacts['holder'],
  config: Config,
): AcceptedRefund {
  const registered = { id: data.id, state: 'Registered' as const, date: time.toISOString(), orderId: data.orderId };
  const summary = summarise({ ...registered, amount: BigInt(data.amount) }, holder, config);
  return { transaction: { ...summary, type: 'Refund', refundOf: data.refundOf }, replayed };
}
