import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { InlineProjections } from '../event-store/index.js';
import { auditorProjection } from './auditors/auditor.projection.js';
import { AuditorGuard } from './auditors/auditor.guard.js';
import { AuditorTurns } from './auditors/auditor-turns.js';
import { AuditorsController } from './auditors/auditors.controller.js';
import { Auditors } from './auditors/auditors.js';
import { VisiblePartitions } from './auditors/visible-partitions.js';
import { CheckpointKey } from './checkpoints/checkpoint-key.js';
import { CheckpointFiles } from './checkpoints/checkpoint-files.js';
import { CheckpointMetrics } from './checkpoints/checkpoint-metrics.js';
import { CheckpointSigner } from './checkpoints/checkpoint-signer.js';
import { CheckpointStore } from './checkpoints/checkpoint-store.js';
import { Witness } from './checkpoints/witness.js';
import { BindAuditorCredentialHandler } from './commands/bind-auditor-credential/bind-auditor-credential.handler.js';
import { ForgetSubjectHandler } from './commands/forget-subject/forget-subject.handler.js';
import { RegisterAuditorHandler } from './commands/register-auditor/register-auditor.handler.js';
import { RevokeAuditorHandler } from './commands/revoke-auditor/revoke-auditor.handler.js';
import { StartVerificationHandler } from './commands/start-verification/start-verification.handler.js';
import { SubjectSearch } from './erasure/subject-search.js';
import { Exporter } from './export/exporter.js';
import { LogReader } from './log/log-reader.js';
import { PartnerOfEvents } from './log/partner-of-events.js';
import { ListAuditorsHandler } from './queries/auditors/auditors.handler.js';
import { BalanceAtController } from './queries/balance-at/balance-at.controller.js';
import { GetBalanceAtHandler } from './queries/balance-at/balance-at.handler.js';
import { BalanceAtReader } from './queries/balance-at/balance-at.js';
import {
  CheckpointHistoryController,
  CheckpointsController,
  VerifierKeysController,
} from './queries/checkpoints/checkpoints.controller.js';
import {
  GetNewestNoteHandler,
  ListCheckpointsHandler,
  ListNewestCheckpointsHandler,
  ListVerifierKeysHandler,
} from './queries/checkpoints/checkpoints.handlers.js';
import { AuditedEvents } from './queries/events/audited-events.js';
import { EventsController } from './queries/events/events.controller.js';
import {
  ListEventsHandler,
  ListEventsOfAccountHandler,
  ListEventsOfTransactionHandler,
} from './queries/events/events.handlers.js';
import { ExportController } from './queries/export/export.controller.js';
import { ExportLogHandler } from './queries/export/export.handler.js';
import { PartitionsController } from './queries/partitions/partitions.controller.js';
import { ListPartitionsHandler } from './queries/partitions/partitions.handler.js';
import { ProofsController } from './queries/proofs/proofs.controller.js';
import { ProveConsistencyHandler, ProveInclusionHandler } from './queries/proofs/proofs.handlers.js';
import { GetVerificationHandler, ListVerificationsHandler } from './queries/verifications/verifications.handlers.js';
import { AsyncRebuild } from './rebuild/async-rebuild.js';
import { InlineRebuild } from './rebuild/inline-rebuild.js';
import { TreeRebuild } from './rebuild/tree-rebuild.js';
import { Replayer } from './replay/replayer.js';
import { Proofs } from './tree/proofs.js';
import { TreeBuilder } from './tree/tree-builder.js';
import { TreeGrowth } from './tree/tree-growth.js';
import { TreeNodes } from './tree/tree-nodes.js';
import { VerificationRun } from './verifications/verification-run.js';
import { VerificationRuns } from './verifications/verification-runs.js';
import { VerificationsController } from './verifications/verifications.controller.js';
import { PartitionVerifier } from './verify/partition-verifier.js';
import { Verifier } from './verify/verifier.js';

const commands = [
  BindAuditorCredentialHandler,
  ForgetSubjectHandler,
  RegisterAuditorHandler,
  RevokeAuditorHandler,
  StartVerificationHandler,
];
const queries = [
  ExportLogHandler,
  GetBalanceAtHandler,
  GetNewestNoteHandler,
  GetVerificationHandler,
  ListAuditorsHandler,
  ListCheckpointsHandler,
  ListEventsHandler,
  ListEventsOfAccountHandler,
  ListEventsOfTransactionHandler,
  ListNewestCheckpointsHandler,
  ListPartitionsHandler,
  ListVerificationsHandler,
  ListVerifierKeysHandler,
  ProveConsistencyHandler,
  ProveInclusionHandler,
];

const checkpoints = [
  CheckpointKey,
  CheckpointFiles,
  CheckpointMetrics,
  CheckpointSigner,
  Witness,
  CheckpointStore,
  Proofs,
  TreeBuilder,
  TreeGrowth,
  TreeNodes,
];

const reading = [
  AuditedEvents,
  AuditorGuard,
  Auditors,
  AuditorTurns,
  BalanceAtReader,
  LogReader,
  PartnerOfEvents,
  VisiblePartitions,
];

/** What auditors need: checkpoints and proofs, verification, replay, rebuild, export, erasure. */
@Module({
  imports: [AccountsModule, AuthModule, TypeOrmModule.forFeature([VerificationRun])],
  controllers: [
    EventsController,
    BalanceAtController,
    AuditorsController,
    CheckpointsController,
    ExportController,
    PartitionsController,
    CheckpointHistoryController,
    ProofsController,
    VerificationsController,
    VerifierKeysController,
  ],
  providers: [
    ...commands,
    ...queries,
    ...checkpoints,
    ...reading,
    AsyncRebuild,
    Exporter,
    InlineRebuild,
    PartitionVerifier,
    Replayer,
    SubjectSearch,
    TreeRebuild,
    Verifier,
    VerificationRuns,
  ],
  exports: [AuditorGuard, Auditors, AuditorTurns, BalanceAtReader],
})
export class AuditModule {
  constructor(projections: InlineProjections) {
    projections.register(auditorProjection);
  }
}
