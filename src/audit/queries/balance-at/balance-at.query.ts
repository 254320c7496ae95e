import { Query } from '@nestjs/cqrs';
import type { AuditReader } from '../../domain/auditor.js';
import type { BalanceAtView } from './balance-at.answer.js';

/** Balances of an account at a moment or a position; now, without either. */
export class GetBalanceAt extends Query<BalanceAtView> {
  constructor(
    readonly auditor: AuditReader,
    readonly uid: string,
    readonly at: Date | null,
    readonly position: bigint | null,
  ) {
    super();
  }
}
