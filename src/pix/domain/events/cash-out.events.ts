import {
  acceptsPayouts,
  countedBy,
  describeEntries,
  describeTransaction,
  describeWaiting,
  type LimitUse,
  type Posting,
  type StoredTerms,
  type Transaction,
  WITHOUT_ENTRIES,
} from '../../../accounts/index.js';
import {
  type DataOf,
  defineEvent,
  type EventOf,
  type Personal,
  type RecordedEvent,
  type Sealed,
} from '../../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../details.js';
import { known, reached, withDetails } from './evolution.js';
import type { CashOutMethod, Party, Recipient, SentAs, WebhookTarget } from './shared.js';

/** Streams are `cash-out-<id>`. Amounts are centavos in decimal text. */
export const CashOutScheduled = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  method: CashOutMethod;
  amount: string;
  /** Fixed now; held with the amount when its time has come. */
  charges: string;
  orderId: string;
  /** The partner's orders were unique: the account had no other with it. */
  orderIsUnique?: true;
  orderDescription?: Personal<string> | Sealed<string>;
  recipient: Personal<Recipient> | Sealed<Recipient>;
  webhook?: WebhookTarget;
  schedule: StoredTerms;
}>()('CashOutScheduled', 'A payout is to be made at a later time. Nothing is held for it.');

export const CashOutRefused = defineEvent<{
  id: string;
  partnerUid: string;
  /** Of the error that the payout was refused with, or `RecipientForgotten`. */
  reason: string;
}>()(
  'CashOutRefused',
  'A scheduled payout could not be made at its time, or its order was used already. Nothing was held. Final.',
);

export const CashOutCancelled = defineEvent<{
  id: string;
  partnerUid: string;
  timerId: string;
}>()('CashOutCancelled', 'A scheduled payout was cancelled before its time. Final.');

export const CashOutRegistered = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  method: CashOutMethod;
  amount: string;
  /** Fixed now; held with the amount. */
  charges: string;
  orderId: string;
  /** The partner's orders were unique: the account had no other with it. */
  orderIsUnique?: true;
  orderDescription?: Personal<string> | Sealed<string>;
  recipient: Personal<Recipient> | Sealed<Recipient>;
  /**
   * The recipient has a key and an account, which the rail cannot compare: the account is paid, as the operator chose.
   */
  keyChecked?: false;
  /** The copy-and-paste code that is paid, of the method `QrCode`; absent where it left the amount open. */
  qrCode?: Personal<string>;
  /** Absent: nobody is told of its changes, as of a line of a payout file that names no address. */
  webhook?: WebhookTarget;
  /** The payout file that it is a line of. */
  payoutFile?: string;
  /**
   * Made once, before the rail is called for the first time. Absent where the rail makes it: then `sentAs` is there.
   */
  endToEndId?: string;
  sentAs?: SentAs;
  /** What it counts against the limits of the account, where that has any. */
  limitUse?: LimitUse;
  postings: readonly Posting[];
}>()('CashOutRegistered', 'A payout was accepted: amount and charge are held until the rail has answered.');
acceptsPayouts(CashOutRegistered);

export const CashOutKeyResolved = defineEvent<{
  id: string;
  /** Whose slots the payment takes while it is sent. Absent in older events. */
  partnerUid?: string;
  payee: Personal<Party>;
}>()(
  'CashOutKeyResolved',
  'DICT named the owner of the key, who matches the recipient. From now on only the rail ends the payout.',
);

export const CashOutNamed = defineEvent<{ id: string; endToEndId: string }>()(
  'CashOutNamed',
  'The rail gave the EndToEndId that it made for the payout.',
);

export const CashOutCompleted = defineEvent<{
  id: string;
  partnerUid: string;
  endToEndId: string;
  amount: string;
  /** The payee by the rail, with what was known before. */
  payee: Personal<Party>;
  settledAt: string;
  receiptToken: string;
  /** The payout file that it is a line of. */
  payoutFile?: string;
  postings: readonly Posting[];
}>()('CashOutCompleted', 'The recipient has the money: what was held has left the account. Final.');

interface Failed {
  id: string;
  partnerUid: string;
  /** A reason of ours (`KeyNotFound` …) or the rail's code (`AC07` …). */
  reason: string;
  /** What is given back to the limits of the account, where it was counted. */
  limitUse?: LimitUse;
  /** The payout file that it is a line of, and the amount that it counts there. */
  payoutFile?: string;
  amount?: string;
  postings: readonly Posting[];
}

export const CashOutErrored = defineEvent<Failed>()(
  'CashOutErrored',
  'The payout was not carried out: what was held is available again. Final.',
);

export const CashOutTold = defineEvent<{
  id: string;
  /** Why it failed, where the end did not have it. */
  reason?: string;
  /** The rail's fee, centavos. */
  fee?: string;
}>()('CashOutTold', 'Details of an ended payout that only a notification of the rail has. They decide nothing.');

export const CashOutReversed = defineEvent<Failed>()(
  'CashOutReversed',
  'The receiving bank returned the payout before it was completed: what was held is available again. Final.',
);

type FirstData = Pick<DataOf<typeof CashOutScheduled>, 'id' | 'accountUid' | 'amount' | 'charges' | 'orderId'>;

const entry = ({ id }: { id: string }) => ({ kind: 'CashOut', transactionId: id });
describeEntries(CashOutRegistered, ({ id, orderDescription }) => ({
  ...entry({ id }),
  description: orderDescription,
}));
describeEntries(CashOutCompleted, entry);
describeEntries(CashOutErrored, ({ id }) => ({ kind: 'CashOutErrored', transactionId: id }));
describeEntries(CashOutReversed, ({ id }) => ({ kind: 'CashOutReversed', transactionId: id }));

/** A payout as its first event makes it. */
function begun(
  { data, time, position, version }: RecordedEvent<string, FirstData>,
  state: 'Scheduled' | 'Registered',
  details: CashOutDetails,
  endToEndId: string | null = null,
): Transaction {
  return {
    id: data.id,
    type: 'CashOut',
    state,
    accountUid: data.accountUid,
    counterpartyUid: null,
    amount: BigInt(data.amount),
    charges: BigInt(data.charges),
    orderId: data.orderId,
    endToEndId,
    refundOf: null,
    errorReason: null,
    stateDates: { [state]: time.toISOString() },
    details: { ...details },
    position,
    version,
    payer: null,
    ...WITHOUT_ENTRIES,
  };
}

const itself = ({ id }: { id: string }) => [id];

describeTransaction(CashOutScheduled, itself, (_none, event) => {
  const { method, orderDescription, recipient, webhook, schedule } = event.data;
  const details: CashOutDetails = {
    method,
    ...(orderDescription && { orderDescription }),
    recipient,
    ...(webhook && { webhook }),
    schedule,
    refunded: '0',
  };
  return begun(event, 'Scheduled', details);
});

describeTransaction(CashOutRefused, itself, (transaction, event) =>
  reached(transaction, event, 'Error', { errorReason: event.data.reason }),
);

describeTransaction(CashOutCancelled, itself, (transaction, event) => reached(transaction, event, 'Cancelled'));

describeWaiting(CashOutScheduled, ({ id, accountUid }) => ({ id, accountUid, counterpartyUid: null }), [
  CashOutRegistered,
  CashOutRefused,
  CashOutCancelled,
]);

describeTransaction(
  CashOutRegistered,
  itself,
  (scheduled, event) => {
    const { data, position, version } = event;
    const { method, orderDescription, recipient, keyChecked, qrCode, webhook, payoutFile, sentAs, limitUse } = data;
    if (version > 1) {
      const registered = reached(scheduled, event, 'Registered', { endToEndId: data.endToEndId ?? null });
      return withDetails(registered, {
        ...(keyChecked === false && { keyChecked }),
        ...(sentAs && { sentAs }),
        registeredPosition: position.toString(),
        ...(limitUse?.to || limitUse?.contact ? { countedBy: countedBy(limitUse) } : {}),
      });
    }
    const details: CashOutDetails = {
      method,
      ...(orderDescription && { orderDescription }),
      recipient,
      ...(keyChecked === false && { keyChecked }),
      ...(qrCode && { qrCode }),
      ...(webhook && { webhook }),
      ...(payoutFile && { payoutFile }),
      ...(sentAs && { sentAs }),
      ...(limitUse?.to || limitUse?.contact ? { countedBy: countedBy(limitUse) } : {}),
      refunded: '0',
    };
    return begun(event, 'Registered', details, data.endToEndId);
  },
  (scheduled, accepted) => scheduled && assertAsScheduled(scheduled, accepted),
);

/** A scheduled payout is accepted by what its first event says. */
function assertAsScheduled(scheduled: Transaction, accepted: EventOf<typeof CashOutRegistered>['data']): void {
  const { recipient } = detailsOf<CashOutDetails>(scheduled);
  const isSame =
    accepted.amount === scheduled.amount.toString() &&
    accepted.charges === scheduled.charges.toString() &&
    accepted.accountUid === scheduled.accountUid &&
    accepted.recipient.subject === recipient.subject &&
    accepted.recipient.sealed === recipient.sealed;
  if (!isSame) throw new TypeError(`the payout ${accepted.id} was accepted otherwise than it was scheduled`);
}

describeTransaction(CashOutKeyResolved, itself, (transaction, event) => ({
  ...withDetails(known(transaction, event), { payee: event.data.payee }),
  version: event.version,
}));

describeTransaction(CashOutNamed, itself, (transaction, event) => ({
  ...known(transaction, event),
  endToEndId: event.data.endToEndId,
  version: event.version,
}));

describeTransaction(CashOutCompleted, itself, (transaction, event) => {
  const { payee, settledAt, receiptToken } = event.data;
  return withDetails(reached(transaction, event, 'Completed'), { payee, settledAt, receiptToken });
});

describeTransaction(CashOutErrored, itself, (transaction, event) =>
  reached(transaction, event, 'Error', { errorReason: event.data.reason }),
);

describeTransaction(CashOutTold, itself, (transaction, event) => {
  const { reason, fee } = event.data;
  const extras = { ...(reason && { reasonTold: reason }), ...(fee && { feeTold: fee }) };
  return { ...withDetails(known(transaction, event), extras), version: event.version };
});

describeTransaction(CashOutReversed, itself, (transaction, event) =>
  reached(transaction, event, 'Reversed', { errorReason: event.data.reason }),
);
