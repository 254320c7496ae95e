import {
  compareTransaction,
  countedBy,
  differs,
  type LimitUse,
  movesOtherwise,
  type Transaction,
} from '../../accounts/index.js';
import type { Contradiction, EventOf, EventType, RecordedEvent, Stored } from '../../event-store/index.js';
import { type CashInDetails, type CashOutDetails, detailsOf, type RefundDetails } from './details.js';
import {
  CashInCancelled,
  CashInCompleted,
  CashInErrored,
  CashInPaymentReturned,
  CashInReversed,
} from './events/cash-in.events.js';
import {
  CashOutCancelled,
  CashOutCompleted,
  CashOutErrored,
  CashOutNamed,
  CashOutRefused,
  CashOutRegistered,
  CashOutReversed,
} from './events/cash-out.events.js';
import { RefundCompleted, RefundErrored, RefundRegistered } from './events/refund.events.js';
import { canBecome, TRANSITIONS } from './transitions.js';

/** By how much clocks of the database and of processes may differ. */
const CLOCKS_MS = 60_000;

/**
 * What an event that moves a payment on must have of its beginning: account, amount, charges and identifiers. Lanes
 * decide on its row, which somebody with the service's password may change for a moment; `verify` compares the events.
 */
function compare<T extends string, D extends { readonly id: string }>(
  type: EventType<T, D>,
  further: (before: Transaction, event: RecordedEvent<T, Stored<D>>) => Contradiction | undefined = () => undefined,
): void {
  compareTransaction(type, (before, event, id) => {
    const isItself = id === (event.data as { readonly id: string }).id;
    return isItself ? (ofState(before, event) ?? further(before, event)) : undefined;
  });
}

function ofState({ state }: Transaction, { type }: RecordedEvent): Contradiction | undefined {
  const allowed = TRANSITIONS.filter(({ event }) => event === type).map(({ from }) => from);
  return allowed.includes(state) ? undefined : { field: 'state', expected: allowed.join(' or '), found: state };
}

compare(CashInCompleted, (deposit, event) => {
  const { amount, charges, accountUid } = deposit;
  const { payment } = event.data;
  const { expiresAt } = detailsOf<CashInDetails>(deposit);
  return (
    differs('payment.amount', amount.toString(), payment.amount) ??
    (payment.settledAt > expiresAt
      ? differs('payment.settledAt', `not after ${expiresAt}`, payment.settledAt)
      : undefined) ??
    movesOtherwise(event, [
      ['pix-settlement', 'available', -amount],
      [accountUid, 'available', amount - charges],
      ['fees', 'available', charges],
    ])
  );
});

compare(CashInErrored, ({ amount }, { data: { reason, payment } }) =>
  reason === 'AmountMismatch' && payment?.amount === amount.toString()
    ? { field: 'payment.amount', expected: `another than ${amount}`, found: payment.amount }
    : undefined,
);
compare(CashInReversed);
compare(CashInCancelled, (deposit, { data: { cause }, time, metadata: { actor } }) => {
  const { expiresAt } = detailsOf<CashInDetails>(deposit);
  // A payment that came late ends one, too: then the rail's time counts.
  const isTooEarly = cause === 'Expired' && actor === 'timer' && time.getTime() < Date.parse(expiresAt) - CLOCKS_MS;
  return isTooEarly ? differs('cause', `time until ${expiresAt}`, cause) : undefined;
});

compareTransaction(CashInPaymentReturned, (deposit, { data: { cause } }) =>
  canBecome(deposit, 'Completed')
    ? { field: 'state', expected: 'a deposit that has ended', found: deposit.state }
    : differs('cause', deposit.state === 'Completed' ? 'Second' : 'Late', cause),
);

compare(CashOutRegistered, (_scheduled, event) => {
  const { accountUid, amount, charges } = event.data;
  const held = BigInt(amount) + BigInt(charges);
  return movesOtherwise(event, [
    [accountUid, 'available', -held],
    [accountUid, 'held', held],
  ]);
});
compare(CashOutRefused);
compare(CashOutCancelled);

compareTransaction(CashOutNamed, ({ endToEndId }, { data }) =>
  endToEndId === null ? undefined : differs('endToEndId', endToEndId, data.endToEndId),
);

compare(CashOutCompleted, (payout, event) => {
  const { amount, charges, accountUid, endToEndId } = payout;
  const { data } = event;
  return (
    differs('endToEndId', endToEndId, data.endToEndId) ??
    differs('amount', amount.toString(), data.amount) ??
    ofFile(payout, data) ??
    movesOtherwise(event, [
      [accountUid, 'held', -amount - charges],
      ['pix-settlement', 'available', amount],
      ['fees', 'available', charges],
    ])
  );
});

compare(CashOutErrored, failed);
compare(CashOutReversed, failed);

function failed(payout: Transaction, event: EventOf<typeof CashOutErrored | typeof CashOutReversed>) {
  const { amount, charges, accountUid } = payout;
  const held = amount + charges;
  const { data } = event;
  return (
    (data.amount === undefined ? undefined : differs('amount', amount.toString(), data.amount)) ??
    ofFile(payout, data) ??
    givenBackOtherwise(payout, data.limitUse) ??
    movesOtherwise(event, [
      [accountUid, 'held', -held],
      [accountUid, 'available', held],
    ])
  );
}

function ofFile(payout: Transaction, { payoutFile }: { readonly payoutFile?: string }) {
  return differs('payoutFile', detailsOf<CashOutDetails>(payout).payoutFile, payoutFile);
}

/** What a payout gives back to limits is what it counted, at its time, to the same counters. */
function givenBackOtherwise(payout: Transaction, use: LimitUse | undefined): Contradiction | undefined {
  const text = (amount: string, at: string, counters: object) => `${amount} at ${at} ${JSON.stringify(counters)}`;
  const counted = detailsOf<CashOutDetails>(payout).countedBy ?? {};
  const expected = text((-payout.amount).toString(), payout.stateDates.Registered!, counted);
  return use && differs('limitUse', expected, text(use.amount, use.at, countedBy(use)));
}

/** Of what it refunds; its own transaction begins with it. */
compareTransaction(RefundRegistered, (parent, event) => {
  const { direction, accountUid, amount, originalEndToEndId, holdId, infractionId } = event.data;
  const left = parent.amount - BigInt(detailsOf<CashInDetails | CashOutDetails>(parent).refunded);
  const held = direction === 'Out' && holdId === undefined ? BigInt(amount) : 0n;
  return (
    differs(
      'refundOf',
      `${direction === 'Out' ? 'CashIn' : 'CashOut'}, Completed`,
      `${parent.type}, ${parent.state}`,
    ) ??
    differs('accountUid', parent.accountUid, accountUid) ??
    differs('originalEndToEndId', parent.endToEndId, originalEndToEndId) ??
    // What a rule blocked goes back with the deposit that brought it; a case of the MED has a hold of its own.
    (holdId !== undefined && infractionId === undefined
      ? differs('holdId', detailsOf<CashInDetails>(parent).hold?.id, holdId)
      : undefined) ??
    (BigInt(amount) > left ? differs('amount', `${left} at most`, amount) : undefined) ??
    movesOtherwise(event, [
      [accountUid, 'available', -held],
      [accountUid, 'held', held],
    ])
  );
});

compare(RefundCompleted, (refund, event) => {
  const { amount, accountUid, endToEndId } = refund;
  const isOut = detailsOf<RefundDetails>(refund).direction === 'Out';
  const side = isOut ? -amount : amount;
  return (
    ofRefund(refund, event.data) ??
    differs('returnId', endToEndId, event.data.returnId) ??
    movesOtherwise(event, [
      [accountUid, isOut ? 'held' : 'available', side],
      ['pix-settlement', 'available', -side],
    ])
  );
});

compare(RefundErrored, (refund, event) => {
  const { amount, accountUid } = refund;
  // Blocked money is put back into its hold, by an event of the hold.
  const held = detailsOf<RefundDetails>(refund).holdId === undefined ? amount : 0n;
  return (
    ofRefund(refund, event.data) ??
    movesOtherwise(event, [
      [accountUid, 'held', -held],
      [accountUid, 'available', held],
    ])
  );
});

function ofRefund(
  { amount, refundOf, details }: Transaction,
  data: { readonly amount: string; readonly refundOf: string; readonly infractionId?: string },
): Contradiction | undefined {
  return (
    differs('amount', amount.toString(), data.amount) ??
    differs('refundOf', refundOf, data.refundOf) ??
    differs('infractionId', (details as unknown as RefundDetails).infractionId, data.infractionId)
  );
}
