import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsScheduleStart, IsScheduleEnd } from '../accounts/index.js';
import { IsNested, IsOneOf, IsWhole } from '../platform/http/index.js';
import { RequestCashOutDto } from '../pix/index.js';
import { RequestTransferDto } from '../transfers/index.js';
import { STEPS } from './domain/calendar.js';
import { MOST_RUNS } from './domain/schedule.decider.js';

const LONGEST_RETRY_HOURS = 144;

/** Exactly one of `count` and `until`, and of `transfer` and `cashOut`. */
export class CreateScheduleDto {
  @ApiProperty({ enum: STEPS, enumName: 'ScheduleStep' })
  @IsOneOf(STEPS)
  every: string;

  @IsScheduleStart()
  startsOn: string;

  /** Number of runs */
  @ApiProperty({ example: 12, minimum: 1, maximum: MOST_RUNS })
  @IsOptional()
  @IsWhole(1, MOST_RUNS)
  count?: number;

  @IsScheduleEnd()
  until?: string;

  /** How long a run waits for missing funds; 0 if absent */
  @ApiProperty({ example: 24, minimum: 1, maximum: LONGEST_RETRY_HOURS })
  @IsOptional()
  @IsWhole(1, LONGEST_RETRY_HOURS)
  retryForHours?: number;

  /** As the route of transfers takes it, without `scheduledFor` and `retryUntil` */
  @IsOptional()
  @IsNested(() => RequestTransferDto)
  transfer?: RequestTransferDto;

  /** As the route of payouts takes it, without a code and these two; each run has its number after the `orderId` */
  @IsOptional()
  @IsNested(() => RequestCashOutDto)
  cashOut?: RequestCashOutDto;
}
