import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../accounts/index.js';
import { partitionOf, SubjectVault } from '../../event-store/index.js';
import { type CashInDetails, detailsOf } from '../domain/details.js';
import type { ExpectedPayer } from '../domain/events/shared.js';

/** Who is to pay a cash-in; `undefined`: anybody may. */
export type Expected = ExpectedPayer | 'forgotten' | undefined;

/** Opens the payer that a cash-in's request named. */
@Injectable()
export class ExpectedPayers {
  constructor(private readonly vault: SubjectVault) {}

  async of(cashIn: Transaction): Promise<Expected> {
    const { expectedPayer } = detailsOf<CashInDetails>(cashIn);
    return expectedPayer && ((await this.vault.open(partitionOf(cashIn.id)!, expectedPayer)) ?? 'forgotten');
  }
}
