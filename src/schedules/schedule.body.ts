import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseStart, parseEnd } from '../accounts/index.js';
import { asKept, type LocatedFault, validate } from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';
import { requestedCashOut, ScheduledPayouts } from '../pix/index.js';
import type { RequestedSchedule } from './commands/create-schedule/create-schedule.command.js';
import type { ScheduleStep } from './domain/calendar.js';
import { CreateScheduleDto } from './schedules.dto.js';

/** The number of a run stands after the order's id. */
const LONGEST_ORDER_ID = 61;

/** Reads and checks the body of a schedule. All faults at once. */
@Injectable()
export class ScheduleBody implements PipeTransform<unknown, RequestedSchedule> {
  constructor(private readonly payouts: ScheduledPayouts) {}

  transform(body: unknown): RequestedSchedule {
    const valid = validate(CreateScheduleDto, body, (dto) => [
      ...oneOf(dto, 'count', 'until'),
      ...oneOf(dto, 'transfer', 'cashOut'),
      ...untimed(dto.transfer, 'transfer'),
      ...this.#cashOutFaults(dto),
    ]);
    const { every, startsOn, count, until, retryForHours, transfer, cashOut } = valid;
    return {
      every: every as ScheduleStep,
      startsAt: parseStart(startsOn)!,
      end: count ? { count } : { until: parseEnd(until!)! },
      ...(retryForHours && { retryForHours }),
      ...(transfer && {
        transfer: {
          destinationUid: asKept(transfer.refAccountCredit),
          amount: parseAmount(transfer.transferAmount)!,
          description: transfer.transferDescription || undefined,
        },
      }),
      ...(cashOut && { cashOut: requestedCashOut(cashOut) }),
    };
  }

  #cashOutFaults({ cashOut }: CreateScheduleDto): LocatedFault[] {
    if (typeof cashOut !== 'object' || cashOut === null) return [];
    const { payment, transaction } = cashOut;
    const orderId: unknown = transaction?.orderId;
    const isLong = typeof orderId === 'string' && [...orderId].length > LONGEST_ORDER_ID;
    const tooLong = { code: 'TooLong', message: `must have at most ${LONGEST_ORDER_ID} characters` };
    return [
      ...this.payouts.faults(cashOut).map(({ path, ...fault }) => ({ path: `cashOut.${path}`, ...fault })),
      ...untimed(transaction, 'cashOut.transaction'),
      ...(payment?.qrCode ? [notAllowed('cashOut.payment.qrCode')] : []),
      ...(isLong ? [{ ...tooLong, path: 'cashOut.transaction.orderId', info: { maximum: LONGEST_ORDER_ID } }] : []),
    ];
  }
}

function oneOf<K extends keyof CreateScheduleDto & string>(dto: CreateScheduleDto, one: K, other: K): LocatedFault[] {
  const given = [one, other].filter((name) => dto[name] !== undefined && dto[name] !== null);
  if (given.length === 1) return [];
  if (given.length === 0) {
    return [{ path: one, code: 'Required', message: `${one} or ${other} is required`, info: { missingProperty: one } }];
  }
  return [{ path: other, code: 'MutuallyExclusive', message: `must be absent beside ${one}` }];
}

/** The times of runs are the schedule's. */
function untimed(owner: object | undefined, path: string): LocatedFault[] {
  if (typeof owner !== 'object' || owner === null) return [];
  const { scheduledFor, retryUntil } = owner as { scheduledFor?: unknown; retryUntil?: unknown };
  return [
    ...(scheduledFor === undefined || scheduledFor === null ? [] : [notAllowed(`${path}.scheduledFor`)]),
    ...(retryUntil === undefined || retryUntil === null ? [] : [notAllowed(`${path}.retryUntil`)]),
  ];
}

function notAllowed(path: string): LocatedFault {
  return { path, code: 'NotAllowed', message: 'must be absent in a schedule' };
}
