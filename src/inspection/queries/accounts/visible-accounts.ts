import { Injectable } from '@nestjs/common';
import { type Account, Registry } from '../../../accounts/index.js';
import type { Viewer } from '../../../auth/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';

/** Accounts for those who look at the accounts of others. What a viewer may not see does not exist for them. */
@Injectable()
export class VisibleAccounts {
  constructor(private readonly registry: Registry) {}

  /** @throws EntityNotFound for an account that is not there, or not to be seen */
  async get(viewer: Viewer, uid: string): Promise<Account> {
    const account = await this.registry.account(uid);
    if (viewer.partnerUid !== null && account.partnerUid !== viewer.partnerUid) {
      throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    }
    return account;
  }
}
