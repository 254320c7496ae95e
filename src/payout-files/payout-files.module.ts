import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { InlineProjections, LeasedWork, Subscriptions, WorkTable } from '../event-store/index.js';
import { CashOutBody } from '../pix/index.js';
import { acceptStreams } from '../platform/http/index.js';
import { AcceptPayoutFileController } from './commands/accept-payout-file/accept-payout-file.controller.js';
import { AcceptPayoutFileHandler } from './commands/accept-payout-file/accept-payout-file.handler.js';
import { Uploads } from './commands/accept-payout-file/uploads.js';
import { CancelPayoutFileController } from './commands/cancel-payout-file/cancel-payout-file.controller.js';
import { CancelPayoutFileHandler } from './commands/cancel-payout-file/cancel-payout-file.handler.js';
import { RecordLinesHandler } from './commands/record-lines/record-lines.handler.js';
import { endingsProjection } from './endings.projection.js';
import { FileRunner } from './file-runner.js';
import { LineRequests } from './line-requests.js';
import { LoggedFiles } from './logged-files.js';
import { PayoutFileRows } from './payout-file-rows.js';
import { payoutFileProjection } from './payout-file.projection.js';
import { payoutFilesSaga, RUN_FILE } from './payout-files.saga.js';
import { PayoutFilesController } from './queries/files/payout-files.controller.js';
import { GetPayoutFileHandler, ListPayoutFilesHandler } from './queries/files/payout-files.handlers.js';
import { PayoutFileResultsController } from './queries/results/results.controller.js';
import { GetPayoutFileResultsHandler } from './queries/results/results.handler.js';
import { FILES_ROUTE, FORMAT_OF } from './routes.js';
import { FileInputs } from './storage/file-inputs.js';

/** A process runs one file at a time: partners take turns, and others' commands share the lanes with one of them. */
const AT_ONCE = 1;

/** Files of payouts: checked whole, then requested line by line as leased work. */
@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [
    AcceptPayoutFileController,
    CancelPayoutFileController,
    PayoutFilesController,
    PayoutFileResultsController,
  ],
  providers: [
    AcceptPayoutFileHandler,
    CancelPayoutFileHandler,
    CashOutBody,
    FileInputs,
    FileRunner,
    GetPayoutFileHandler,
    GetPayoutFileResultsHandler,
    LineRequests,
    ListPayoutFilesHandler,
    LoggedFiles,
    PayoutFileRows,
    RecordLinesHandler,
    Uploads,
  ],
})
export class PayoutFilesModule {
  constructor(
    projections: InlineProjections,
    subscriptions: Subscriptions,
    work: LeasedWork,
    table: WorkTable,
    runner: FileRunner,
    { httpAdapter }: HttpAdapterHost,
  ) {
    projections.register(payoutFileProjection);
    subscriptions.register(payoutFilesSaga);
    subscriptions.register(endingsProjection);
    work.register(table.worker(RUN_FILE, AT_ONCE, (item) => runner.run(item), 'InTurns'));
    const types = [...FORMAT_OF.keys()].map((contentType) => ({ contentType, route: FILES_ROUTE }));
    // The command line has no server.
    if (httpAdapter) acceptStreams(httpAdapter.getInstance<FastifyInstance>(), types);
  }
}
