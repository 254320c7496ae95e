import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DryRunBatchView, DryRunItem, laterTerms, previewFor } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  answerBatch,
  Answers,
  asKept,
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
import { parseAmount } from '../../../platform/money.js';
import { LegacyNoticeGuard } from '../request-transfer/legacy-notice.guard.js';
import { RequestTransferDto } from '../request-transfer/request-transfer.dto.js';
import { showTransfer, TRANSFER_EXAMPLE } from '../request-transfer/transfer.answer.js';
import { RequestTransfers } from './request-transfers.command.js';
import { RequestTransfersDto } from './request-transfers.dto.js';
import { DoneTransferItem, TransfersAnswer } from './transfers.answer.js';
import { TransfersBody } from './transfers.body.js';

/** Of an atomic batch that is refused, in a run and in a look at it. */
const REFUSED = [TransfersAnswer, DryRunBatchView].map((one) => ({ $ref: getSchemaPath(one) }));

@ApiTags('Transfers')
@Controller('partners-int/accounts/transfers/batch')
@PartnerRoute('transfers:write', itemsIn)
export class RequestTransfersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @TakesBatch()
  @UseGuards(LegacyNoticeGuard)
  @ApiBody({ type: RequestTransfersDto })
  @Answers({
    summary: 'Move money to many accounts at once',
    description:
      'Up to 500 transfers, decided in their order. `status`, `data` and `error` of an item are those of the single ' +
      'route, and its `idempotencyKey` is that of the single route too. With `atomic` all are done in one commit, or ' +
      'none: the 422 then has the same `data`, with the reason of the item at fault, and `NotApplied` for the others. ' +
      'The rate limit counts items.',
    answer: TransfersAnswer,
    example: done({
      items: [{ idempotencyKey: 'salary-1', status: 201, replayed: false, statusCode: 'Done', data: TRANSFER_EXAMPLE }],
      counts: { done: 1, error: 0 },
    }),
    models: [RequestTransferDto, DoneTransferItem, RefusedItem, DryRunItem],
    reasons: ['NotApplied'],
    beside: {
      422: { type: 'object', required: ['data'], properties: { data: { anyOf: REFUSED } } },
    },
    idempotent: true,
    dryRun: DryRunBatchView,
  })
  async requestTransfers(
    @Caller() caller: Principal,
    @Body(TransfersBody) batch: Batch<RequestTransferDto>,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const run = async (items: readonly SoundItem<RequestTransferDto>[], isStopped: boolean) => {
      const seen = preview ?? (await previewFor(this.queries, isStopped, caller.accountUid));
      const transfers = items.map(toTransfer);
      return this.commands.execute(new RequestTransfers(caller, batch.mode, transfers, requestId, idempotency, seen));
    };
    return answerBatch(batch, idempotency, reply, run, showTransfer, preview);
  }
}

function toTransfer({ idempotency, read }: SoundItem<RequestTransferDto>) {
  const { refAccountCredit, transferAmount, transferDescription } = read;
  return {
    destinationUid: asKept(refAccountCredit),
    amount: parseAmount(transferAmount)!,
    description: transferDescription,
    later: laterTerms(read),
    idempotency,
  };
}
