import { amountAboveZero, Optional, text } from '../../../platform/http/index.js';

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
