import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../http/index.js';

export class Liveness {
  readonly status: 'ok';
}

class IndicatorUp {
  readonly status: 'up';
}

class PartitionsUp extends IndicatorUp {
  /** They gave no answer */
  @ApiProperty({ type: 'array', items: WHOLE }) readonly away: readonly number[];
}

class ConfigurationUp extends IndicatorUp {
  @ApiProperty({ type: [String] }) readonly warnings: readonly string[];
}

export class ReadinessDetails {
  readonly database: IndicatorUp;
  readonly partitions?: PartitionsUp;
  readonly configuration?: ConfigurationUp;
}

export class ReadinessView extends Liveness {
  readonly details: ReadinessDetails;
}
