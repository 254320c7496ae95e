import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { Cautions } from './cautions.js';
import { ExpectedPayers } from './expected-payers.js';
import { KnownPayers } from './known-payers.js';
import { Payees } from './payees.js';
import { PixTransactions } from './pix-transactions.js';
import { TransactionTraces } from './transaction-traces.js';

const parts = [Cautions, ExpectedPayers, KnownPayers, Payees, PixTransactions, TransactionTraces];

/** Finds Pix transactions for commands, workers and the inbox. */
@Module({ imports: [AccountsModule], providers: parts, exports: parts })
export class PixTransactionsModule {}
