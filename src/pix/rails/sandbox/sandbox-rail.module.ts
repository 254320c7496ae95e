import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../../accounts/index.js';
import { AuthModule } from '../../../auth/index.js';
import { RailInboxModule } from '../../inbox/rail-inbox.module.js';
import { PixTransactionsModule } from '../../transactions/pix-transactions.module.js';
import { KeptBehaviour, SandboxBehaviour } from './behaviour.js';
import { Charges } from './charges.js';
import { SandboxBehaviourController, SandboxTransactionsController } from './control.controller.js';
import { Forcing } from './forcing.js';
import { History } from './history.js';
import { InfractionNews } from './infraction-news.js';
import { SandboxInfractionsController, SandboxRecoveriesController } from './infractions.controller.js';
import { Infractions } from './infractions.js';
import { PartyBox } from './party-box.js';
import { PayerBank } from './payer-bank.js';
import { PaymentsIn } from './payments-in.js';
import { PaymentsOut } from './payments-out.js';
import { SandboxPaymentsController } from './payments.controller.js';
import { Refunds } from './refunds.js';
import { SandboxInfractionRail } from './sandbox-infraction-rail.js';
import { SandboxRail } from './sandbox-rail.js';
import { TaskWorker } from './task-worker.js';
import { Tasks } from './tasks.js';
import { SandboxNotifier } from './notifier.js';

/** The sandbox: a rail behind `PIX_RAIL`, the banks around it, and the routes that play them. */
@Module({
  imports: [
    AccountsModule,
    AuthModule,
    PixTransactionsModule,
    RailInboxModule,
    TypeOrmModule.forFeature([KeptBehaviour]),
  ],
  controllers: [
    SandboxPaymentsController,
    SandboxTransactionsController,
    SandboxBehaviourController,
    SandboxInfractionsController,
    SandboxRecoveriesController,
  ],
  providers: [
    Charges,
    Forcing,
    History,
    InfractionNews,
    Infractions,
    PartyBox,
    PayerBank,
    PaymentsIn,
    PaymentsOut,
    Refunds,
    SandboxBehaviour,
    SandboxInfractionRail,
    SandboxRail,
    Tasks,
    TaskWorker,
    SandboxNotifier,
  ],
  exports: [SandboxInfractionRail, SandboxRail],
})
export class SandboxRailModule {}
