import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  EXECUTION_KINDS,
  IsHoldRetryUntil,
  type ExecutionDestination,
  HOLD_CAUSES,
  type HoldCause,
} from '../accounts/index.js';
import { HELD_RETURN_CODES } from '../pix/index.js';
import { IsAmountAboveZero, IsNested, IsOneOf, IsText } from '../platform/http/index.js';

const IsHoldAmount = () => IsAmountAboveZero('AmountMustBeGreaterThanZero');

export class PlaceHoldDto {
  @ApiProperty({ example: '1000.00' })
  @IsHoldAmount()
  amount: string;

  @ApiProperty({ enum: HOLD_CAUSES, enumName: 'HoldCause', example: 'Judicial' })
  @IsOneOf(HOLD_CAUSES)
  cause: HoldCause;

  /** Of the order. The partner sees it: no names. */
  @ApiProperty({ example: '0001234-56.2026.8.26.0100' })
  @IsText({ minimum: 1, maximum: 64 })
  reference: string;

  @IsHoldRetryUntil()
  retryUntil?: string;

  /** For the history; the partner does not see it. */
  @ApiProperty({ example: '2nd civil court' })
  @IsOptional()
  @IsText({ maximum: 140 })
  note?: string;
}

export class ReleaseHoldDto {
  @ApiProperty({ example: '100.00', description: 'All of it, when absent: the hold ends' })
  @IsOptional()
  @IsHoldAmount()
  amount?: string;
}

export class ReturnHoldDto {
  @ApiProperty({ example: '100.00', description: 'All that is blocked, when absent' })
  @IsOptional()
  @IsHoldAmount()
  amount?: string;

  @ApiProperty({
    enum: HELD_RETURN_CODES,
    enumName: 'HeldReturnCode',
    default: 'FR01',
    description: "The reason that the rail is given: suspected fraud, or the wish of the account's holder",
  })
  @IsOptional()
  @IsOneOf(HELD_RETURN_CODES)
  code?: (typeof HELD_RETURN_CODES)[number];
}

export class DestinationDto {
  @ApiProperty({ enum: EXECUTION_KINDS, enumName: 'ExecutionKind', example: 'JudicialTransfer' })
  @IsOneOf(EXECUTION_KINDS)
  kind: ExecutionDestination['kind'];

  /** Of the payment outside of this service. */
  @ApiProperty({ example: 'ID 072026000012345678' })
  @IsText({ minimum: 1, maximum: 64 })
  reference: string;
}

export class ExecuteHoldDto {
  @ApiProperty({ example: '300.00' })
  @IsHoldAmount()
  amount: string;

  @IsNested(() => DestinationDto)
  destination: DestinationDto;
}
