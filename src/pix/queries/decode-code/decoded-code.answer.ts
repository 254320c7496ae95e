import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT } from '../../../platform/http/index.js';
import { CODE_REFUSALS, type CodeRefusal } from '../../domain/code-refused.js';

const KINDS = ['Static', 'Dynamic', 'Recurrence'] as const;
const REFUSALS = Object.keys(CODE_REFUSALS) as CodeRefusal[];

/** Who receives the money, by the word of the code or of its charge */
export class CodeReceiver {
  readonly name: string;
  readonly city: string;
  /** Told by charges with a due date only */
  readonly taxNumber: string | null;
  /** The Pix key that is paid to */
  readonly key: string | null;
}

/** What is due at this moment, as the receiver's bank reckoned */
export class CodeDue {
  @ApiProperty({ format: 'date' }) readonly date: string;
  @ApiProperty(AMOUNT) readonly original: string | null;
  @ApiProperty(AMOUNT) readonly interest: string | null;
  @ApiProperty(AMOUNT) readonly fine: string | null;
  @ApiProperty(AMOUNT) readonly rebate: string | null;
  @ApiProperty(AMOUNT) readonly discount: string | null;
}

export class CodeRefusalView {
  @ApiProperty({ enum: REFUSALS }) readonly reason: CodeRefusal;
  readonly message: string;
}

export class DecodedCodeView {
  @ApiProperty({ enum: [...KINDS] }) readonly kind: (typeof KINDS)[number];
  readonly canBePaid: boolean;
  /** Null where it can be paid */
  readonly refusal: CodeRefusalView | null;
  readonly receiver: CodeReceiver;
  /** Null where the payer chooses it, or where it is not known */
  @ApiProperty(AMOUNT) readonly amount: string | null;
  readonly payerMayChangeAmount: boolean;
  readonly txid: string | null;
  /** What the receiver tells the payer */
  readonly description: string | null;
  /** A due date is moved by weekends only: where a holiday moves it, the bank takes payments for longer */
  @ApiProperty({ format: 'date-time' }) readonly expiresAt: string | null;
  /** Of charges with a due date */
  readonly due: CodeDue | null;
}
