import { ApiProperty } from '@nestjs/swagger';

/** An item that was refused: `status` and `error` are those of the single route. */
export class RefusedItem {
  readonly idempotencyKey: string;
  @ApiProperty({ type: 'integer', enum: [400, 403, 404, 409, 422, 500, 503], example: 422 }) readonly status: number;
  @ApiProperty({ enum: ['Error'] }) readonly statusCode: 'Error';
  @ApiProperty({ type: 'object', additionalProperties: true }) readonly error: Readonly<Record<string, unknown>>;
}

/** Every item's result but its `data`. */
export class DoneItem {
  readonly idempotencyKey: string;
  @ApiProperty({ type: 'integer', enum: [201] }) readonly status: 201;

  /** It was done before, under this key */
  readonly replayed: boolean;
}

export class BatchCounts {
  @ApiProperty({ type: 'integer', example: 1 }) readonly done: number;
  @ApiProperty({ type: 'integer', example: 0 }) readonly error: number;
}
