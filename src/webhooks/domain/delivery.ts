import type { Transaction } from '../../accounts/index.js';
import { type Sealed, uuidOf } from '../../event-store/index.js';
import type { AttemptErrorCode } from '../../platform/outbound/attempt-error.js';

/**
 * Decisions 5. `Pending`: no attempt yet. `Retrying`: to be attempted again. The others are final until a redelivery.
 */
export const DELIVERY_STATUSES = ['Pending', 'Retrying', 'Delivered', 'Stopped', 'Exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt, as partners read it in the delivery log. */
export interface Attempt {
  /** From 1, over redeliveries too. */
  readonly number: number;
  /** ISO. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** `null` without a response. */
  readonly httpStatus: number | null;
  /** `null` for a complete response. */
  readonly error: AttemptErrorCode | null;
}

/** The fields of contract 2.7 without personal data, in the order in which they are sent. */
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
  /** From which each attempt builds the receipt's URL; `null` without a receipt. */
  readonly receiptToken: string | null;
  readonly transactionReceiptDate: string | null;
  readonly transactionReceiptVoucher: string;
  readonly stateRegisteredDate: string | null;
  readonly stateCompletedDate: string | null;
  /** Fields of states other than Completed. */
  readonly other: Readonly<Record<string, string>>;
}

/** The counterparty, sealed: as reported by the rail, or as in the request. Unknown fields are absent. */
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
 * From which each attempt builds the body. It is fixed when the event is processed, so that every attempt sends the
 * same. Personal data stays sealed under its subject's key, so that erasing a subject applies here too.
 */
export interface BodyMaterial {
  readonly fields: BodyFields;
  readonly partyRole: 'recipient' | 'payer';
  readonly party: Sealed<PartySource> | null;
  readonly description: Sealed<string> | null;
}

/** The body of a notification of an account (Standard Webhooks), as it is sent. */
export interface NotificationMaterial {
  readonly notification: {
    readonly type: string;
    /** ISO time of the event. */
    readonly timestamp: string;
    readonly data: object;
  };
}

/** The receiver of a delivery. */
export interface DeliveryTarget {
  readonly partnerUid: string;
  readonly url: string;
}

/** A delivery to be added: one change of state, or one notification of an account, for one receiver. */
export interface NewDelivery {
  /** The event's identifier; it is the `webhook-id` of every attempt. */
  readonly id: string;
  /** The event's position in the log: the order within a chain. */
  readonly position: bigint;
  /** Deliveries of a chain are sent in order: `chainOfTransaction`, `chainOfSubject`. */
  readonly chain: string;
  /** `null` for a test, and for a notification of an account. */
  readonly transactionId: string | null;
  /** `null` for a notification of an account. */
  readonly transactionState: string | null;
  /** The type of a notification of an account; `null` for others. */
  readonly type: string | null;
  readonly accountUid: string;
  readonly partnerUid: string;
  readonly url: string;
  /** Custom header; its value is the row of `secret` with that id. */
  readonly header: { readonly name: string; readonly secretId: string } | null;
  readonly material: BodyMaterial | NotificationMaterial;
}

/** The URL's scheme, host and port. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** The URL's host, with its port where that is not the scheme's own: as operators read it, and look for it. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The URL without its query: one receiver of a partner. */
export function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

/** Identifies a partner's deliveries to one origin, which are throttled together. */
export function originKeyOf(partnerUid: string, url: string): string {
  return uuidOf(`${partnerUid}\n${originOf(url)}`);
}

/** The keys of a partner's origins at a host: with TLS, and without it. */
export function originKeysAt(partnerUid: string, host: string): string[] {
  return originsAt(host).map((origin) => originKeyOf(partnerUid, origin));
}

/** The origins at a host, which is named with its port, as in a URL; none for what is no host. */
export function originsAt(host: string): string[] {
  return /[/\\?#@]/.test(host) ? [] : ['https', 'http'].map((scheme) => originOf(`${scheme}://${host}`));
}

/**
 * The chain of a transaction's deliveries: a refund's are kept in order with those of the deposit that it gives back.
 */
export function chainOfTransaction({ id, refundOf }: Pick<Transaction, 'id' | 'refundOf'>): string {
  return refundOf ?? id;
}

/**
 * The chain of an account's notifications of one subject. An address has its own: what waits for one that is dead does
 * not hold up its successor. No transaction's chain is among them.
 */
export function chainOfSubject(subjectId: string, addressId: string): string {
  return uuidOf(`${subjectId}\n${addressId}`);
}
