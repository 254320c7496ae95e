import { createHash } from 'node:crypto';
import type { Sealed } from '../../event-store/index.js';
import type { AttemptErrorCode } from '../../platform/outbound/attempt-error.js';

/** Decisions 5. `Pending`: not tried yet. `Retrying`: tried, and to be tried again. The others are final until somebody asks again. */
export const DELIVERY_STATUSES = ['Pending', 'Retrying', 'Delivered', 'Stopped', 'Exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt, as partners read it in the delivery log. */
export interface Attempt {
  /** From 1, over redeliveries too. */
  readonly number: number;
  /** ISO. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** `null` where no answer came. */
  readonly httpStatus: number | null;
  /** `null` where an answer came whole. */
  readonly error: AttemptErrorCode | null;
}

/** The members of contract 2.7 that name nobody, in the order in which they are sent. */
export interface BodyFields {
  readonly id: string;
  readonly transactionState: string;
  readonly transactionDate: string;
  readonly transactionAmount: string;
  readonly transactionType: 'Debit' | 'Credit';
  readonly transactionPaymentType: 'PIX';
  readonly transactionOrderId: string;
  readonly transactionCharges: string;
  readonly webhookUrl: string;
  /** What the address of the receipt is made of at each try; `null` where there is no receipt. */
  readonly receiptToken: string | null;
  readonly transactionReceiptDate: string | null;
  readonly transactionReceiptVoucher: string;
  readonly stateRegisteredDate: string | null;
  readonly stateCompletedDate: string | null;
  /** Members for states other than Completed, where they apply. */
  readonly other: Readonly<Record<string, string>>;
}

/** What is known of the other side, sealed: the rail's word, or what the request said. Members that nobody told are absent. */
export interface PartySource extends Partial<PartyAccount> {
  readonly name?: string;
  readonly taxNumber?: string;
  readonly account?: Partial<PartyAccount>;
}

interface PartyAccount {
  readonly ispb: string;
  readonly branch: string;
  readonly number: string;
  readonly digit: string;
  readonly type: string;
}

/**
 * What a body is made of at each try. It is fixed when the change of state is seen, so that every try says the same;
 * what is personal stays sealed under its subject's key, so that forgetting a subject reaches here too.
 */
export interface BodyMaterial {
  readonly fields: BodyFields;
  readonly partyRole: 'recipient' | 'payer';
  readonly party: Sealed<PartySource> | null;
  readonly description: Sealed<string> | null;
}

/** Whom a delivery goes to. */
export interface DeliveryTarget {
  readonly partnerUid: string;
  readonly url: string;
}

/** A delivery to be made: one change of state and whom to tell. */
export interface NewDelivery {
  /** The event's identifier; it is the `webhook-id`, on every try. */
  readonly id: string;
  /** The event's position: the order within a chain, and of the log. */
  readonly position: bigint;
  /** What deliveries are ordered within: the transaction, for a refund its parent. */
  readonly chain: string;
  /** `null` for a test. */
  readonly transactionId: string | null;
  readonly transactionState: string;
  readonly accountUid: string;
  readonly partnerUid: string;
  readonly url: string;
  /** Custom header; its value is the row of `secret` with that id. */
  readonly header: { readonly name: string; readonly secretId: string } | null;
  readonly material: BodyMaterial;
}

/** Where a URL leads, by scheme, host and port. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** The URL without its query: what a partner thinks of as one receiver. */
export function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

/** Deliveries of one partner to one origin share a lane: they are slowed together, and nobody else's are. A UUID's shape, for the index. */
export function laneOf(partnerUid: string, url: string): string {
  const digest = createHash('sha256')
    .update(`${partnerUid}\n${originOf(url)}`)
    .digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
