import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { BatchCounts, DoneItem, RefusedItem } from '../../../platform/http/index.js';
import { CreatedCashOut } from '../request-cash-out/cash-out.answer.js';

export class DoneCashOutItem extends DoneItem {
  @ApiProperty({ enum: ['Incomplete'] }) readonly statusCode: 'Done' | 'Incomplete';
  readonly data: CreatedCashOut;
}

/** A result for each item, in their order. */
export class CashOutsAnswer {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(DoneCashOutItem) }, { $ref: getSchemaPath(RefusedItem) }] },
  })
  readonly items: readonly (DoneCashOutItem | RefusedItem)[];

  readonly counts: BatchCounts;
}
