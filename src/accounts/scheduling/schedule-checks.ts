import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { NOT_TEXT, rule, stacked } from '../../platform/http/index.js';
import { parseMoment } from './schedule-terms.js';

const FORMAT = 'must be an ISO 8601 date or date-time; without a zone it is America/Sao_Paulo';

function IsMoment(name: string): PropertyDecorator {
  return rule(name, (value, owner) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (!parseMoment(value, 0)) return { code: 'InvalidFormat', message: FORMAT };
    if (name === 'isRetryUntil' && (owner.scheduledFor === undefined || owner.scheduledFor === null)) {
      return { code: 'NotAllowed', message: 'is allowed beside scheduledFor only' };
    }
    return undefined;
  });
}

export function IsScheduledFor(): PropertyDecorator {
  const description =
    'When it is carried out: a date (06:00 of that day) or a date-time, in America/Sao_Paulo unless it has a zone; ' +
    'at most 366 days away. Absent: now';
  return stacked(ApiProperty({ example: '2027-01-04', description }), IsOptional(), IsMoment('isScheduledFor'));
}

export function IsScheduleStart(): PropertyDecorator {
  const description = 'Of the first run, as `scheduledFor` of a transfer; the others are at the same time of day';
  return stacked(ApiProperty({ example: '2027-01-31', description }), IsMoment('isScheduleStart'));
}

export function IsScheduleEnd(): PropertyDecorator {
  const description = 'Runs are made before it: a date (its end) or a date-time';
  return stacked(ApiProperty({ example: '2027-12-31', description }), IsOptional(), IsMoment('isScheduleEnd'));
}

export function IsHoldRetryUntil(): PropertyDecorator {
  const description =
    'Until this date (its end) or date-time, in America/Sao_Paulo unless it has a zone, later credits fill it';
  return stacked(ApiProperty({ example: '2026-12-20', description }), IsOptional(), IsMoment('isHoldRetryUntil'));
}

export function IsRetryUntil(): PropertyDecorator {
  const description =
    'Beside `scheduledFor`: funds that are missing then are waited for until this date (its end) or date-time; ' +
    'at most 30 days longer';
  return stacked(ApiProperty({ example: '2027-01-06', description }), IsOptional(), IsMoment('isRetryUntil'));
}
