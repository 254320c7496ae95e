import type { PipeTransform } from '@nestjs/common';
import { amountAboveZero, Optional, text, validate } from '../../../platform/http/index.js';

/** Decisions 5. */
export class RefundCashInDto {
  @Optional(
    { example: '5.00', description: 'What is left of the deposit, when absent' },
    amountAboveZero('PaymentValueMustBeGreaterThanZero'),
  )
  amount?: string;

  @Optional({ example: 'Returned goods', description: 'At most 140 characters' }, text({ maximum: 140 }))
  reason?: string;
}

/** Every member is optional, so the body may be missing as a whole: everything that is left goes back. */
export class RefundBody implements PipeTransform<unknown, RefundCashInDto> {
  transform(body: unknown): RefundCashInDto {
    return validate(RefundCashInDto, body ?? {});
  }
}
