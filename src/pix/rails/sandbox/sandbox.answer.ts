import { ApiProperty } from '@nestjs/swagger';
import { Column } from 'typeorm';
import { TRANSACTION_STATE, type TransactionState } from '../../../accounts/index.js';
import { UUID, WHOLE } from '../../../platform/http/index.js';

export class SimulatedPayment {
  readonly endToEndId: string;
  @ApiProperty({ enum: ['Settled', 'Returned'], enumName: 'PaidOutcome' }) readonly outcome: 'Settled' | 'Returned';
}

export class ForcedTransaction {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(TRANSACTION_STATE) readonly state: TransactionState;
}

/** How badly the sandbox behaves: for tests of what a real rail may do. */
export class Behaviour {
  /** `drop`: the ledger is told nothing by itself */
  @Column('text') @ApiProperty({ enum: ['deliver', 'drop'] }) readonly notifications: 'deliver' | 'drop';
  /** Milliseconds that notifications come late */
  @Column('int') @ApiProperty(WHOLE) readonly delayMs: number;
  /** How often each notification is sent */
  @Column('int') @ApiProperty(WHOLE) readonly copies: number;
  /** `hold`: refunds stay under way until they are forced */
  @Column('text') @ApiProperty({ enum: ['settle', 'hold'] }) readonly refunds: 'settle' | 'hold';
}
