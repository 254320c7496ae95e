import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { BatchCounts, RefusedItem } from '../../../platform/http/index.js';
import { DryRunView } from './dry-run-view.js';

export class DryRunItem {
  readonly idempotencyKey: string;
  @ApiProperty({ type: 'integer', enum: [200] }) readonly status: 200;
  readonly replayed: boolean;
  @ApiProperty({ enum: ['Done'] }) readonly statusCode: 'Done';
  readonly data: DryRunView;
}

/** What a batch would do: each item on what those before it would leave. */
export class DryRunBatchView {
  @ApiProperty({ enum: [true] }) readonly dryRun: true;

  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(DryRunItem) }, { $ref: getSchemaPath(RefusedItem) }] },
  })
  readonly items: readonly (DryRunItem | RefusedItem)[];

  readonly counts: BatchCounts;
}
