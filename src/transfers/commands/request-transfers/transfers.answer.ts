import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { BatchCounts, DoneItem, RefusedItem } from '../../../platform/http/index.js';
import { TransferAnswer } from '../request-transfer/transfer.answer.js';

export class DoneTransferItem extends DoneItem {
  @ApiProperty({ enum: ['Done', 'Incomplete'] }) readonly statusCode: 'Done' | 'Incomplete';
  readonly data: TransferAnswer;
}

/** A result for each item, in their order. */
export class TransfersAnswer {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(DoneTransferItem) }, { $ref: getSchemaPath(RefusedItem) }] },
  })
  readonly items: readonly (DoneTransferItem | RefusedItem)[];

  readonly counts: BatchCounts;
}
