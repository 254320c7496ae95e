import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { AccountView } from './account-view.js';

/** Accounts of a partner, oldest first. */
export class ListAccounts extends Query<Page<AccountView>> {
  constructor(
    readonly partnerUid: string,
    readonly partition: number,
    readonly currentUid: string | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** One account; with a partner, only if it is that partner's. */
export class GetAccount extends Query<AccountView> {
  constructor(
    readonly uid: string,
    readonly partnerUid?: string,
    readonly currentUid?: string,
  ) {
    super();
  }
}

/** Whose an account is, which never changes; of an account of a partner's own. */
export class GetAccountOwner extends Query<AccountOwner> {
  constructor(readonly uid: string) {
    super();
  }
}

export interface AccountOwner {
  readonly uid: string;
  readonly partnerUid: string;
}
