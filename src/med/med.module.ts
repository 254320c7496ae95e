import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule, HoldCases } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import {
  InlineProjections,
  LeasedWork,
  Subscriptions,
  type WorkItem,
  type WorkResult,
  WorkTable,
} from '../event-store/index.js';
import { InfractionInbox, retriedAtRail } from '../pix/index.js';
import { Cases } from './cases.js';
import { AdvanceInfractionHandler } from './commands/advance-infraction/advance-infraction.handler.js';
import { AnswerInfractionHandler } from './commands/answer-infraction/answer-infraction.handler.js';
import { DecideInfractionHandler } from './commands/decide-infraction/decide-infraction.handler.js';
import { DefendInfractionController } from './commands/defend-infraction/defend-infraction.controller.js';
import { DefendInfractionHandler } from './commands/defend-infraction/defend-infraction.handler.js';
import { ReceiveInfractionHandler } from './commands/receive-infraction/receive-infraction.handler.js';
import { ReceiveRecoveryHandler } from './commands/receive-recovery/receive-recovery.handler.js';
import { RecordOwnReturnHandler } from './commands/record-own-return/record-own-return.handler.js';
import { RequestRecoveryController } from './commands/request-recovery/request-recovery.controller.js';
import { RequestRecoveryHandler } from './commands/request-recovery/request-recovery.handler.js';
import { infractionProjection } from './infraction.projection.js';
import { MedMetrics } from './med-metrics.js';
import { MedReceiver } from './med-receiver.js';
import { medSaga } from './med.saga.js';
import { CountOpenCasesHandler } from './queries/infractions/open-cases.handler.js';
import { InfractionsController } from './queries/infractions/infractions.controller.js';
import {
  GetCaseStepsHandler,
  GetInfractionHandler,
  ListInfractionsHandler,
} from './queries/infractions/infractions.handlers.js';
import { RecoveriesController } from './queries/recoveries/recoveries.controller.js';
import { GetRecoveryHandler, ListRecoveriesHandler } from './queries/recoveries/recoveries.handlers.js';
import { CaseOpener } from './queries/infractions/opened-case.js';
import { Recoveries } from './recoveries.js';
import { recoveryProjection } from './recovery.projection.js';
import { AnswerWorker } from './workers/answer.worker.js';
import { CaseWorker } from './workers/case.worker.js';
import { MED_SWEEP, MED_WORK } from './workers/med-work.js';
import { MedTimers } from './workers/med-timers.js';
import { RecoveryWorker } from './workers/recovery.worker.js';
import { ReturnsOfRail } from './returns-of-rail.js';

const handlers = [
  AdvanceInfractionHandler,
  AnswerInfractionHandler,
  DecideInfractionHandler,
  DefendInfractionHandler,
  ReceiveInfractionHandler,
  ReceiveRecoveryHandler,
  RecordOwnReturnHandler,
  RequestRecoveryHandler,
  CountOpenCasesHandler,
  GetCaseStepsHandler,
  GetInfractionHandler,
  ListInfractionsHandler,
  GetRecoveryHandler,
  ListRecoveriesHandler,
];
const workers = [AnswerWorker, CaseWorker, MedTimers, RecoveryWorker, ReturnsOfRail];

/** Items of one kind in progress at once in a process. */
const CONCURRENCY = 8;

/** The special return mechanism (MED): reports about deposits, and recoveries of payouts. */
@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [DefendInfractionController, InfractionsController, RecoveriesController, RequestRecoveryController],
  providers: [...handlers, ...workers, CaseOpener, Cases, MedMetrics, MedReceiver, Recoveries],
})
export class MedModule {
  /** @param pix the module with the rail of this process */
  static over(pix: DynamicModule): DynamicModule {
    return { module: MedModule, imports: [pix] };
  }

  constructor(
    projections: InlineProjections,
    subscriptions: Subscriptions,
    work: LeasedWork,
    table: WorkTable,
    inbox: InfractionInbox,
    receiver: MedReceiver,
    cases: CaseWorker,
    answers: AnswerWorker,
    recoveries: RecoveryWorker,
    timers: MedTimers,
    holdCases: HoldCases,
    known: Cases,
  ) {
    projections.register(infractionProjection);
    projections.register(recoveryProjection);
    subscriptions.register(medSaga);
    inbox.receivedBy(receiver);
    holdCases.register((partition, holdId) => known.decidingAbout(partition, holdId));
    const perform = (kind: string, run: (item: WorkItem) => Promise<WorkResult>) =>
      work.register(table.worker(kind, CONCURRENCY, (item) => retriedAtRail(item, () => run(item)), 'InParts'));
    perform(MED_WORK.case, (item) => cases.perform(item));
    perform(MED_WORK.wake, (item) => cases.wake(item));
    perform(MED_WORK.answer, (item) => answers.perform(item));
    perform(MED_WORK.recovery, (item) => recoveries.perform(item));
    work.register(table.worker(MED_SWEEP.kind, 1, (item) => timers.sweep(item)));
  }
}
