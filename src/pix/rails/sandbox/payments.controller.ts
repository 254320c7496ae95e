import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { SandboxRoute } from '../../../auth/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound, type FaultDetail, ValidationError } from '../../../platform/errors/index.js';
import { Answers, done } from '../../../platform/http/index.js';
import type { ParsedBrCode } from '../../domain/values/br-code.js';
import { Charges } from './charges.js';
import { outcomeForPayer, PayerBank } from './payer-bank.js';
import { type RequestedPayment, SandboxPaymentBody } from './payments.body.js';
import { SandboxPaymentDto } from './payments.dto.js';
import { SimulatedPayment } from './sandbox.answer.js';

/** What a code leads to: a charge, or a payment to the key alone. */
interface Payable {
  readonly txid: string | null;
  /** Centavos; absent where the payer chooses the amount. */
  readonly amount?: bigint;
}

const NO_AMOUNT: FaultDetail = {
  path: 'amount',
  code: 'Required',
  message: 'the code names no amount',
  info: { missingProperty: 'amount' },
};

/** The app of a payer's bank (decisions 10). */
@ApiTags('Sandbox')
@SandboxRoute()
@Controller('sandbox/pix/payments')
export class SandboxPaymentsController {
  constructor(
    private readonly charges: Charges,
    private readonly bank: PayerBank,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @ApiBody({ type: SandboxPaymentDto })
  @Answers({
    summary: "Play the payer's bank: pay a code",
    description: 'Settled, or Returned: it came late, was the second, or did not fit, and the money went back.',
    status: 201,
    answer: SimulatedPayment,
    example: done({ endToEndId: 'E99999008202611201404abcdefghijk', outcome: 'Settled' }),
    errors: [404],
    reasons: ['PaymentValueMustBeGreaterThanZero'],
  })
  async simulatePayment(@Body(SandboxPaymentBody) { qrCode, code, payer, amount }: RequestedPayment) {
    const payable = await this.#find(code);
    if (!payable) throw new EntityNotFound('ChargeEntity', 'qrCode', qrCode);
    const paying = amount ?? payable.amount;
    if (paying === undefined) throw new ValidationError([NO_AMOUNT]);
    const paid = await this.bank.pay(payable.txid, paying, payer);
    return done({ endToEndId: paid.endToEndId, outcome: outcomeForPayer(paid) });
  }

  /** A code of ours leads to a charge of this service; a static one of our key is paid to the key. */
  async #find(code: ParsedBrCode): Promise<Payable | undefined> {
    switch (code.kind) {
      case 'Dynamic':
        return this.charges.at(code.location);
      case 'Static':
        // An amount of nothing is one that the payer chooses.
        return code.key === this.config.pixKey ? { txid: null, amount: code.amount || undefined } : undefined;
      case 'Recurrence':
        return undefined;
    }
  }
}
