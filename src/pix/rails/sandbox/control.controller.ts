import { Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { SandboxRoute } from '../../../auth/index.js';
import { Answers, done, IsOneOf, IsWhole, ValidBody } from '../../../platform/http/index.js';
import { SandboxBehaviour } from './behaviour.js';
import { Forcing } from './forcing.js';
import { Behaviour, ForcedTransaction } from './sandbox.answer.js';
import type { Force } from './script.js';

const ID = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';

export class BehaviourDto {
  @ApiPropertyOptional({ enum: ['deliver', 'drop'], description: 'drop: the ledger is told nothing' })
  @IsOptional()
  @IsOneOf(['deliver', 'drop'])
  notifications?: Behaviour['notifications'];

  @ApiPropertyOptional({ type: 'integer', description: 'Milliseconds that notifications come late' })
  @IsOptional()
  @IsWhole(0, 600_000)
  delayMs?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'How often each notification is sent' })
  @IsOptional()
  @IsWhole(1, 10)
  copies?: number;

  @ApiPropertyOptional({ enum: ['settle', 'hold'], description: 'hold: refunds wait to be forced' })
  @IsOptional()
  @IsOneOf(['settle', 'hold'])
  refunds?: Behaviour['refunds'];
}

/** Forces the next state of one transaction (decisions 10). */
@ApiTags('Sandbox')
@SandboxRoute()
@Controller('sandbox/pix/transactions/:id')
export class SandboxTransactionsController {
  constructor(private readonly forcing: Forcing) {}

  @Post('complete')
  @Answers({
    summary: 'Complete a transaction: a payout arrives, a deposit is paid by a payer who fits',
    answer: ForcedTransaction,
    example: done({ id: ID, state: 'Completed' }),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  completePayment(@Param('id') id: string) {
    return this.#force(id, 'complete');
  }

  @Post('fail')
  @Answers({
    summary: 'Have the rail refuse a transaction',
    answer: ForcedTransaction,
    example: done({ id: ID, state: 'Error' }),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  failPayment(@Param('id') id: string) {
    return this.#force(id, 'fail');
  }

  @Post('reverse')
  @Answers({
    summary: 'Have the receiving bank return a transaction before it is completed',
    answer: ForcedTransaction,
    example: done({ id: ID, state: 'Reversed' }),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  reversePayment(@Param('id') id: string) {
    return this.#force(id, 'reverse');
  }

  async #force(id: string, force: Force) {
    const { state } = await this.forcing.force(id, force);
    return done({ id, state });
  }
}

/** How the sandbox misbehaves, for tests of what a real rail may do. */
@ApiTags('Sandbox')
@SandboxRoute()
@Controller('sandbox/pix/behaviour')
export class SandboxBehaviourController {
  constructor(private readonly behaviour: SandboxBehaviour) {}

  @Get()
  @Answers({
    summary: 'How the sandbox behaves',
    answer: Behaviour,
    example: done({ notifications: 'deliver', delayMs: 0, copies: 1, refunds: 'settle' }),
  })
  async readBehaviour() {
    return done(await this.behaviour.get());
  }

  @Put()
  @Answers({
    summary: 'Have the sandbox drop, delay or repeat its notifications, or hold refunds',
    description: 'Members that are absent stay as they are. When it answers, every instance behaves so.',
    answer: Behaviour,
    example: done({ notifications: 'drop', delayMs: 0, copies: 1, refunds: 'settle' }),
  })
  async changeBehaviour(@ValidBody(BehaviourDto) changes: BehaviourDto) {
    return done(await this.behaviour.change(changes));
  }
}
