import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { OperatorAccessKeysController } from './access-keys.controller.js';
import { OperatorAccountsController } from './accounts.controller.js';
import { CautionaryRulesController } from './cautionary-rules.controller.js';
import { OperatorContactsController } from './contacts.controller.js';
import { OperatorHoldsController } from './holds.controller.js';
import { OperatorMedController } from './med.controller.js';
import { PartnersController } from './partners.controller.js';
import { ReconciliationController } from './reconciliation.controller.js';

/** The operator's routes ("admin portal"). Each translates into a command of the module that owns the data. */
@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [
    PartnersController,
    OperatorAccountsController,
    OperatorContactsController,
    OperatorHoldsController,
    OperatorMedController,
    CautionaryRulesController,
    OperatorAccessKeysController,
    ReconciliationController,
  ],
})
export class OperatorModule {}
