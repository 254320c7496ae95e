import { Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { previewOn } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { UnsupportedMediaType } from '../../../platform/errors/index.js';
import {
  Answers,
  DryRun,
  dryRunAnswer,
  idempotencyKeyOf,
  incomplete,
  markReplayed,
  RequestId,
} from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { FileFormat } from '../../domain/payout-file.events.js';
import {
  PAYOUT_FILE_EXAMPLE,
  PayoutFileDryRunView,
  PayoutFileView,
  showFile,
} from '../../queries/files/payout-file-view.js';
import { FORMAT_OF } from '../../routes.js';
import { AcceptPayoutFile } from './accept-payout-file.command.js';

const EXAMPLE =
  'value,name,cpf,ispb,branch,number,digit,orderId\n' +
  '10.50,Maria Silva,52998224725,60701190,0001,123456,7,salary-1\n';

@ApiTags('Payout files')
@Controller('partners-int/payouts/files')
@PartnerRoute('pix:cashout')
export class AcceptPayoutFileController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @ApiConsumes(...FORMAT_OF.keys())
  @ApiBody({ required: true, schema: { type: 'string', example: EXAMPLE } })
  @Answers({
    summary: 'Pay the lines of a file',
    description:
      'CSV with a header, or JSON lines, each the body of a cash-out (docs/payout-files.md): up to 100,000 lines and ' +
      '64 MiB. The file is checked whole before anything is done. Its lines are then requested one by one, in order; ' +
      'the account webhook `payout-file.completed` tells the end.',
    status: 201,
    answer: PayoutFileView,
    example: incomplete(PAYOUT_FILE_EXAMPLE),
    reasons: ['CustomerAccountIsNotActive', 'TooManyPayoutFiles'],
    idempotent: true,
    dryRun: PayoutFileDryRunView,
  })
  async acceptPayoutFile(
    @Caller() caller: Principal,
    @RequestId() requestId: string,
    @Req() request: FastifyRequest,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const key = idempotencyKeyOf(request);
    const format = formatOf(request);
    const { body } = request;
    if (!format || !(body instanceof Readable)) {
      throw new UnsupportedMediaType(`The body must be one of ${[...FORMAT_OF.keys()].join(', ')}.`);
    }
    const preview = isDryRun ? previewOn(caller.accountUid) : undefined;
    const { file, replayed, charges } = await this.commands.execute(
      new AcceptPayoutFile(caller, format, body, requestId, key, preview),
    );
    if (preview) {
      const { lines, amount } = showFile(file);
      const shown: PayoutFileDryRunView = { ...preview.of(key), lines, amount, charges: formatAmount(charges) };
      return dryRunAnswer(reply, shown);
    }
    markReplayed(reply, replayed);
    // As it was accepted: the answer to a repetition is the first one again.
    return incomplete(showFile(file));
  }
}

function formatOf({ headers }: FastifyRequest): FileFormat | undefined {
  return FORMAT_OF.get((headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase());
}
