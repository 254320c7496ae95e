import { Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { previewFor } from '../../../accounts/index.js';
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

const EXAMPLES: Readonly<Record<FileFormat, string>> = {
  csv:
    'value,name,cpf,ispb,branch,number,digit,orderId\n' +
    '10.50,Maria Silva,52998224725,60701190,0001,123456,7,salary-1\n',
  jsonl:
    '{"payment":{"value":"10.50","key":{"type":"CPF","value":"52998224725"},' +
    '"recipient":{"name":"Maria Silva","cpf":"52998224725"}},"transaction":{"orderId":"salary-1"}}\n',
};

const CONTENT = Object.fromEntries(
  [...FORMAT_OF].map(([type, format]) => [type, { schema: { type: 'string', example: EXAMPLES[format] } }]),
);

const faults = { type: 'integer', minimum: 1, description: 'Of a file: how many; `details` has the first hundred' };

@ApiTags('Payout files')
@Controller('partners-int/payouts/files')
@PartnerRoute('pix:cashout')
export class AcceptPayoutFileController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
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
    beside: { 400: { type: 'object', properties: { error: { type: 'object', properties: { faults } } } } },
    idempotent: true,
    dryRun: PayoutFileDryRunView,
  })
  // ApiBody has one example for all types. Above Answers, this would empty its summary.
  @ApiOperation({ requestBody: { required: true, content: CONTENT } })
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
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
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
