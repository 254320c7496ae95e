import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound, ValidationError } from '../../../platform/errors/index.js';
import { Answers, done, ValidBody } from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import { BrCodeError, type ParsedBrCode, parseBrCode } from '../../domain/values/br-code.js';
import { Charges } from './charges.js';
import { outcomeForPayer, PayerBank } from './payer-bank.js';
import { SandboxPaymentDto, toRailParty } from './payments.dto.js';

/** What a code asks for: a charge, or a payment to the key alone. */
interface Payable {
  readonly txid: string | null;
  /** Centavos; absent where the payer chooses. */
  readonly amount?: bigint;
}

/** The app of a payer's bank (decisions 10). */
@ApiTags('Sandbox')
@Controller('sandbox/pix/payments')
export class SandboxPaymentsController {
  constructor(
    private readonly charges: Charges,
    private readonly bank: PayerBank,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(201)
  @Answers({
    summary: "Play the payer's bank: pay a code",
    description: 'Settled, or Returned: it came late, was the second, or did not fit, and the money went back.',
    status: 201,
    example: done({ endToEndId: 'E99999008202611201404abcdefghijk', outcome: 'Settled' }),
    errors: [400, 404, 413, 415],
    public: true,
  })
  async pay(@ValidBody(SandboxPaymentDto) body: SandboxPaymentDto) {
    const payer = toRailParty(body.payer);
    const payable = await this.#find(read(body.qrCode));
    const amount = body.amount === undefined ? payable?.amount : parseAmount(body.amount);
    if (!payable) throw new EntityNotFound('ChargeEntity', 'qrCode', body.qrCode);
    if (amount === undefined) throw fault('amount', 'Required', 'the code names no amount');
    const paid = await this.bank.pay(payable.txid, amount, payer);
    return done({ endToEndId: paid.endToEndId, outcome: outcomeForPayer(paid) });
  }

  /** A code of ours leads to a charge that was made here; a static one of our key is paid to the key. */
  async #find(code: ParsedBrCode): Promise<Payable | undefined> {
    switch (code.kind) {
      case 'Dynamic':
        return this.charges.at(code.location);
      case 'Static':
        return code.key === this.config.pixKey ? { txid: null, amount: code.amount } : undefined;
      case 'Recurrence':
        return undefined;
    }
  }
}

/** @throws ValidationError for a text that is damaged, or no code at all */
function read(code: string): ParsedBrCode {
  try {
    return parseBrCode(code);
  } catch (error) {
    if (error instanceof BrCodeError) throw fault('qrCode', 'InvalidFormat', error.message, { rule: error.reason });
    throw error;
  }
}

function fault(path: string, code: string, message: string, info: Record<string, unknown> = {}): ValidationError {
  return new ValidationError([{ path, code, message, info }]);
}
