import { ApiProperty } from '@nestjs/swagger';
import {
  OpenHoldsView,
  TRANSACTION_STATE,
  TRANSACTION_TYPE,
  type TransactionState,
  type TransactionType,
} from '../../../accounts/index.js';
import { AMOUNT, WHOLE } from '../../../platform/http/index.js';
import { OpenCasesView } from '../../../med/index.js';
import { DeliveryHealthView } from '../../../webhooks/index.js';
import { type Step, STEPS } from '../../projection/period.js';

/** Transitions to a state, by transaction type. */
export class CountView {
  @ApiProperty(TRANSACTION_TYPE) readonly type: TransactionType;
  @ApiProperty(TRANSACTION_STATE) readonly state: TransactionState;
  @ApiProperty(WHOLE) readonly count: number;
  @ApiProperty(AMOUNT) readonly amount: string;
}

/** The same in one step of time. */
export class StepView extends CountView {
  readonly at: Date;
}

/** The share of ended transactions that were completed. */
export class SuccessView {
  @ApiProperty(TRANSACTION_TYPE) readonly type: TransactionType;
  @ApiProperty(WHOLE) readonly ended: number;
  @ApiProperty(WHOLE) readonly completed: number;
  readonly rate: number | null;
}

export class LatencyView {
  @ApiProperty(TRANSACTION_TYPE) readonly type: TransactionType;
  @ApiProperty(WHOLE) readonly count: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** The same of one step of time. */
export class LatencyStepView extends LatencyView {
  readonly at: Date;
}

/** Latency over time, oldest first. */
export class LatencySeriesView {
  readonly from: Date;
  readonly to: Date;
  @ApiProperty({ enum: STEPS, enumName: 'Step' }) readonly step: Step;
  readonly series: LatencyStepView[];
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: number[];
}

/** Due work of one kind. */
export class QueueView {
  readonly kind: string;
  @ApiProperty(WHOLE) readonly waiting: number;
  readonly oldestSeconds: number | null;
}

/** Consumer lag of a follower in a partition. */
export class FollowerView {
  readonly name: string;
  @ApiProperty(WHOLE) readonly partition: number;
  /** Events that it has not processed */
  @ApiProperty(WHOLE) readonly behind: number;
}

export class OverviewView {
  readonly from: Date;
  readonly to: Date;
  @ApiProperty({ enum: STEPS, enumName: 'Step' }) readonly step: Step;
  readonly series: StepView[];
  readonly totals: CountView[];
  readonly success: SuccessView[];
  readonly latency: LatencyView[];
  readonly queues: QueueView[];
  readonly followers: FollowerView[];
  readonly deliveries: DeliveryHealthView;
  readonly holds: OpenHoldsView;
  readonly cases: OpenCasesView;
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: number[];
}
