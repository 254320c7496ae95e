import { Body, Controller, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DryRunBatchView, DryRunItem, previewFor, SUMMARY_EXAMPLE } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  answerBatch,
  Answers,
  type Batch,
  done,
  DryRun,
  Idempotency,
  type IdempotentRequest,
  itemsIn,
  RefusedItem,
  RequestId,
  type SoundItem,
  TakesBatch,
} from '../../../platform/http/index.js';
import { showCashOut } from '../request-cash-out/cash-out.answer.js';
import type { RequestedCashOut } from '../requested-cash-out.js';
import { RequestCashOutDto } from '../request-cash-out/request-cash-out.dto.js';
import { CashOutsAnswer, DoneCashOutItem } from './cash-outs.answer.js';
import { CashOutsBody } from './cash-outs.body.js';
import { RequestCashOuts } from './request-cash-outs.command.js';
import { RequestCashOutsDto } from './request-cash-outs.dto.js';

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/cashouts/batch')
@PartnerRoute('pix:cashout', itemsIn)
export class RequestCashOutsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @TakesBatch()
  @ApiBody({ type: RequestCashOutsDto })
  @Answers({
    summary: 'Pay many recipients by Pix at once',
    description:
      'Up to 500 payouts, decided in their order, each by itself. `status`, `data` and `error` of an item are those of ' +
      'the single route, and its `idempotencyKey` is that of the single route too. The rate limit counts items.',
    answer: CashOutsAnswer,
    example: done({
      items: [
        {
          idempotencyKey: 'payout-1',
          status: 201,
          replayed: false,
          statusCode: 'Incomplete',
          data: { transaction: SUMMARY_EXAMPLE },
        },
      ],
      counts: { done: 1, error: 0 },
    }),
    idempotent: true,
    dryRun: DryRunBatchView,
    models: [RequestCashOutDto, DoneCashOutItem, RefusedItem, DryRunItem],
  })
  async requestCashOuts(
    @Caller() caller: Principal,
    @Body(CashOutsBody) batch: Batch<RequestedCashOut>,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const run = (items: readonly SoundItem<RequestedCashOut>[]) => {
      const cashOuts = items.map((item) => ({ cashOut: item.read, idempotency: item.idempotency }));
      return this.commands.execute(new RequestCashOuts(caller, cashOuts, requestId, idempotency, preview));
    };
    return answerBatch(batch, idempotency, reply, run, showCashOut, preview);
  }
}
