import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { InlineProjections } from '../event-store/index.js';
import { auditorProjection } from './auditors/auditor.projection.js';
import { AuditorGuard } from './auditors/auditor.guard.js';
import { AuditorsController } from './auditors/auditors.controller.js';
import { Auditors } from './auditors/auditors.js';
import { CheckpointKey } from './checkpoints/checkpoint-key.js';
import { CheckpointMemory } from './checkpoints/checkpoint-memory.js';
import { CheckpointMetrics } from './checkpoints/checkpoint-metrics.js';
import { CheckpointSigner } from './checkpoints/checkpoint-signer.js';
import { Witness } from './checkpoints/witness.js';
import { CheckpointStore } from './checkpoints/checkpoint-store.js';
import { Eraser } from './erasure/eraser.js';
import { SubjectSearch } from './erasure/subject-search.js';
import { LogReader } from './log/log-reader.js';
import { VisiblePartitions } from './auditors/visible-partitions.js';
import { PartnerOfEvents } from './log/partner-of-events.js';
import { AuditController } from './queries/events/events.controller.js';
import { AuditedEvents } from './queries/events/audited-events.js';
import { BalanceAtReader } from './queries/balance-at/balance-at.js';
import { CheckpointsController, ProofsController, VerifierKeysController } from './queries/proofs/proofs.controller.js';
import { PartitionsController } from './queries/partitions/partitions.controller.js';
import { AsyncRebuild } from './rebuild/async-rebuild.js';
import { InlineRebuild } from './rebuild/inline-rebuild.js';
import { TreeRebuild } from './rebuild/tree-rebuild.js';
import { Replayer } from './replay/replayer.js';
import { ExportController } from './queries/export/export.controller.js';
import { Exporter } from './export/exporter.js';
import { Proofs } from './tree/proofs.js';
import { TreeBuilder } from './tree/tree-builder.js';
import { TreeGrowth } from './tree/tree-growth.js';
import { TreeNodes } from './tree/tree-nodes.js';
import { VerificationRun } from './verifications/verification-run.js';
import { VerificationRuns } from './verifications/verification-runs.js';
import { VerificationsController } from './verifications/verifications.controller.js';
import { Verifier } from './verify/verifier.js';

const checkpoints = [
  CheckpointKey,
  CheckpointMemory,
  CheckpointMetrics,
  CheckpointSigner,
  Witness,
  CheckpointStore,
  Proofs,
  TreeBuilder,
  TreeGrowth,
  TreeNodes,
];

const reading = [AuditedEvents, AuditorGuard, Auditors, BalanceAtReader, LogReader, PartnerOfEvents, VisiblePartitions];

/** What auditors need: checkpoints and proofs, verification, replay, rebuild, export, erasure. */
@Module({
  imports: [AccountsModule, AuthModule, TypeOrmModule.forFeature([VerificationRun])],
  controllers: [
    AuditController,
    AuditorsController,
    CheckpointsController,
    ExportController,
    PartitionsController,
    ProofsController,
    VerificationsController,
    VerifierKeysController,
  ],
  providers: [
    ...checkpoints,
    ...reading,
    AsyncRebuild,
    Eraser,
    Exporter,
    InlineRebuild,
    Replayer,
    SubjectSearch,
    TreeRebuild,
    Verifier,
    VerificationRuns,
  ],
  exports: [AuditorGuard, Auditors, BalanceAtReader],
})
export class AuditModule {
  constructor(projections: InlineProjections) {
    projections.register(auditorProjection);
  }
}
