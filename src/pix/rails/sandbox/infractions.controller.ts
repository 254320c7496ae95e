import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { SandboxRoute } from '../../../auth/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import {
  Answers,
  done,
  IsAmountAboveZero,
  IsOneOf,
  IsText,
  OptionalBody,
  ValidBody,
} from '../../../platform/http/index.js';
import { formatAmount, parseAmount } from '../../../platform/money.js';
import { FRAUD_REASONS, type FraudReason, type RecoveryOutcome, type ReportedInfraction } from '../infraction-rail.js';
import { InfractionNews } from './infraction-news.js';
import { SandboxInfraction, SandboxRecovery } from './infractions.answer.js';
import { Infractions } from './infractions.js';

const E2E = 'E99999008202611201404abcdefghijk';
export class SandboxInfractionDto {
  @ApiProperty({ example: E2E, description: 'Of a payment that came in' })
  @IsText({ minimum: 1, maximum: 32 })
  endToEndId: string;

  @ApiProperty({ example: '10.50', description: 'What is asked back: all of it, when absent' })
  @IsOptional()
  @IsAmountAboveZero('PaymentValueMustBeGreaterThanZero')
  amount?: string;

  @ApiProperty({ enum: FRAUD_REASONS, enumName: 'FraudReason', example: 'Scam' })
  @IsOneOf(FRAUD_REASONS)
  reason: FraudReason;

  @ApiProperty({ example: 'The seller never sent the phone.' })
  @IsOptional()
  @IsText({ maximum: 2_000 })
  details?: string;
}

export class SandboxAcceptanceDto {
  @ApiProperty({ example: '10.50', description: 'What the payee gives back: all of it, when absent' })
  @IsOptional()
  @IsAmountAboveZero('PaymentValueMustBeGreaterThanZero')
  amount?: string;
}

const EXAMPLE: SandboxInfraction = {
  id: 'b8d19bd4-51dc-4784-a2ad-52807c6dfc80',
  endToEndId: E2E,
  amount: '10.50',
  status: 'Open',
};

/** Plays the institution of a payer who reports fraud. */
@ApiTags('Sandbox')
@SandboxRoute()
@Controller('sandbox/pix/infractions')
export class SandboxInfractionsController {
  constructor(
    private readonly infractions: Infractions,
    private readonly news: InfractionNews,
  ) {}

  @Post()
  @Answers({
    summary: "Play the payer's institution: report a payment that came in as fraud",
    status: 201,
    answer: SandboxInfraction,
    example: done(EXAMPLE),
    errors: [404],
    reasons: ['PaymentValueMustBeGreaterThanZero'],
  })
  async reportInfraction(@ValidBody(SandboxInfractionDto) body: SandboxInfractionDto) {
    const { endToEndId, reason, details } = body;
    const paid = await this.infractions.amountOf(endToEndId);
    if (paid === undefined) throw new EntityNotFound('PaymentEntity', 'endToEndId', endToEndId);
    const asked = body.amount ? parseAmount(body.amount)! : paid;
    const amount = asked < paid ? asked : paid;
    const reported = await this.infractions.report({ endToEndId, amount, reason, details: details ?? undefined });
    await this.news.ofInfraction(reported);
    return done(show(reported));
  }

  @Get(':id')
  @Answers({
    summary: 'A report as the rail has it',
    answer: SandboxInfraction,
    example: done(EXAMPLE),
    errors: [404],
  })
  async readReport(@Param('id') id: string) {
    const reported = await this.infractions.find(id);
    if (!reported) throw new EntityNotFound('ReportEntity', 'id', id);
    return done(show(reported));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Answers({
    summary: "Play the payer's institution: take a report back",
    answer: SandboxInfraction,
    example: done({ ...EXAMPLE, status: 'Cancelled' }),
    errors: [404],
  })
  async cancelReport(@Param('id') id: string) {
    const reported = await this.infractions.end(id, 'Cancelled');
    if (!reported) throw new EntityNotFound('ReportEntity', 'id', id);
    await this.news.ofInfraction(reported);
    return done(show(reported));
  }
}

/** Plays the institution of a payee whose payer asks for the money back. */
@ApiTags('Sandbox')
@SandboxRoute()
@Controller('sandbox/pix/recoveries/:id')
export class SandboxRecoveriesController {
  constructor(private readonly news: InfractionNews) {}

  @Post('accept')
  @HttpCode(200)
  @ApiBody({ type: SandboxAcceptanceDto, required: false })
  @Answers({
    summary: "Play the payee's institution: agree to a recovery, and give the money back",
    answer: SandboxRecovery,
    example: done({ id: EXAMPLE.id, status: 'Accepted', accepted: '10.50' }),
    errors: [404],
    reasons: ['PaymentValueMustBeGreaterThanZero'],
  })
  acceptRecovery(@Param('id') id: string, @OptionalBody(SandboxAcceptanceDto) { amount }: SandboxAcceptanceDto) {
    return this.#end(id, { accepted: amount ? parseAmount(amount) : undefined });
  }

  @Post('refuse')
  @HttpCode(200)
  @Answers({
    summary: "Play the payee's institution: refuse a recovery",
    answer: SandboxRecovery,
    example: done({ id: EXAMPLE.id, status: 'Refused', accepted: null }),
    errors: [404],
  })
  refuseRecovery(@Param('id') id: string) {
    return this.#end(id, { code: 'Disagreed' });
  }

  async #end(id: string, ending: { readonly accepted?: bigint; readonly code?: string }) {
    const outcome = await this.news.endRecovery(id, ending);
    if (!outcome) throw new EntityNotFound('RecoveryEntity', 'id', id);
    return done(showRecovery(id, outcome));
  }
}

function show({ railId, endToEndId, amount, state }: ReportedInfraction): SandboxInfraction {
  return { id: railId, endToEndId, amount: formatAmount(amount), status: state };
}

function showRecovery(id: string, outcome: RecoveryOutcome): SandboxRecovery {
  const status = outcome.status as SandboxRecovery['status'];
  return { id, status, accepted: outcome.status === 'Accepted' ? formatAmount(outcome.amount) : null };
}
