import { InvalidInputError, OperationError } from '../../platform/errors/index.js';
import { parseDate, writable } from '../../platform/http/index.js';
import { momentOf, onDay } from '../../platform/sao-paulo.js';
import type { Transaction } from '../transactions/transaction.js';

const DAY_MS = 24 * 3_600_000;
/** A year from today is allowed in a leap year too. */
const LONGEST_WAIT_DAYS = 366;
const LONGEST_RETRY_DAYS = 30;
/** Transactions of one account that wait for their time. */
export const MOST_SCHEDULED = 10_000;

/** The night's limits of payouts end then, and a new day's begin (docs/limits). */
const MORNING = 6;
const MIDNIGHT = 24;

/** When a transaction is carried out, and until when it waits for missing funds. */
export interface LaterTerms {
  readonly scheduledFor: Date;
  readonly retryUntil?: Date;
}

export interface ScheduleTerms extends LaterTerms {
  /** Of the work that carries it out. */
  readonly timerId: string;
  /** The repeating schedule that it is a run of. */
  readonly scheduleId?: string;
}

/** As events and `details` of a transaction have them: ISO 8601, UTC. */
export interface StoredTerms {
  readonly scheduledFor: string;
  readonly retryUntil?: string;
  /** Of the work that carries it out. */
  readonly timerId: string;
  /** The repeating schedule that it is a run of. */
  readonly scheduleId?: string;
}

/** Where the body of a request has them: dotted paths. */
type TermsPaths = Readonly<Record<keyof LaterTerms, string>>;

const OF_TRANSFER: TermsPaths = { scheduledFor: 'scheduledFor', retryUntil: 'retryUntil' };

/** 400: the time of a transaction is over, or too far away. */
export class ScheduledForNotAllowed extends InvalidInputError {
  /** @param property path of the time in the body */
  constructor(property: string) {
    super(
      'ScheduledForNotAllowed',
      `${property} must be in the future, and at most ${LONGEST_WAIT_DAYS} days away. A date means 06:00 in São Paulo.`,
      { property, maximumDays: LONGEST_WAIT_DAYS },
    );
  }
}

/** 400: it would wait for funds until before its time, or for too long. */
export class RetryUntilNotAllowed extends InvalidInputError {
  constructor({ scheduledFor, retryUntil: property }: TermsPaths) {
    super(
      'RetryUntilNotAllowed',
      `${property} must be after ${scheduledFor}, by at most ${LONGEST_RETRY_DAYS} days. A date means its end in São Paulo.`,
      { property, maximumDays: LONGEST_RETRY_DAYS },
    );
  }
}

/** 422: too many transactions of the account wait. */
export class TooManyScheduled extends OperationError {
  constructor() {
    super('TooManyScheduled', `At most ${MOST_SCHEDULED} transactions of an account may wait for their time.`, {
      maximum: MOST_SCHEDULED,
    });
  }
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * An ISO 8601 date or date-time; without a zone it is São Paulo's. @param hour what a date means
 * @returns at most the end of the year 9999 in UTC; `undefined` for anything else
 */
export function parseMoment(value: string, hour: number): Date | undefined {
  if (DATE.test(value)) return parseDate(value) && writable(onDay(value, hour));
  if (!LOCAL.test(value)) return parseDate(value);
  const wallClock = parseDate(`${value}Z`);
  return wallClock && writable(momentOf(wallClock.getTime()));
}

/** When it begins: a date means its morning. */
export const parseStart = (value: string) => parseMoment(value, MORNING);
/** When it is over: a date means its end. */
export const parseEnd = (value: string) => parseMoment(value, MIDNIGHT);

/** The terms of a body whose members `IsScheduledFor` and `IsRetryUntil` have checked; `undefined` for now. */
export function laterTerms(body: { scheduledFor?: string; retryUntil?: string }): LaterTerms | undefined {
  if (!body.scheduledFor) return undefined;
  const scheduledFor = parseStart(body.scheduledFor)!;
  return body.retryUntil ? { scheduledFor, retryUntil: parseEnd(body.retryUntil)! } : { scheduledFor };
}

/** @throws ScheduledForNotAllowed, RetryUntilNotAllowed */
export function assertSchedulable({ scheduledFor, retryUntil }: LaterTerms, at: Date, paths = OF_TRANSFER): void {
  if (scheduledFor <= at || scheduledFor.getTime() - at.getTime() > LONGEST_WAIT_DAYS * DAY_MS) {
    throw new ScheduledForNotAllowed(paths.scheduledFor);
  }
  if (!retryUntil) return;
  const retried = retryUntil.getTime() - scheduledFor.getTime();
  if (retried <= 0 || retried > LONGEST_RETRY_DAYS * DAY_MS) throw new RetryUntilNotAllowed(paths);
}

export function storedTerms({ scheduledFor, retryUntil, ...others }: ScheduleTerms): StoredTerms {
  return {
    scheduledFor: scheduledFor.toISOString(),
    ...(retryUntil && { retryUntil: retryUntil.toISOString() }),
    ...others,
  };
}

/** The terms of a transaction that waits for its time, or waited. */
export function scheduleOf({ details }: Pick<Transaction, 'details'>): StoredTerms | undefined {
  return details?.schedule as StoredTerms | undefined;
}
