import { Query } from '@nestjs/cqrs';
import type { StatementQuery } from '../../../accounts/index.js';
import type { AccessKeyView, Viewer } from '../../../auth/index.js';
import type { Page } from '../../../platform/http/index.js';
import type { BalanceSeriesView, InspectedAccount, InspectedStatementLine } from './accounts.answer.js';

/** One account. */
export class InspectAccount extends Query<InspectedAccount> {
  constructor(
    readonly viewer: Viewer,
    readonly uid: string,
  ) {
    super();
  }
}

/** Access keys of an account, oldest first. */
export class InspectAccessKeys extends Query<Page<AccessKeyView>> {
  constructor(
    readonly viewer: Viewer,
    readonly uid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** Movements of an account, newest first. */
export class InspectStatement extends Query<Page<InspectedStatementLine>> {
  constructor(
    readonly viewer: Viewer,
    readonly uid: string,
    readonly part: StatementQuery,
  ) {
    super();
  }
}

/** Balances of an account over time. */
export class ReadBalances extends Query<BalanceSeriesView> {
  constructor(
    readonly viewer: Viewer,
    readonly uid: string,
    readonly period: { readonly from?: Date; readonly to?: Date },
    /** How many at most. */
    readonly points: number,
  ) {
    super();
  }
}

/** Accounts of a partner, oldest first. */
export class InspectAccountsOfPartner extends Query<Page<InspectedAccount>> {
  constructor(
    readonly viewer: Viewer,
    readonly partnerUid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
