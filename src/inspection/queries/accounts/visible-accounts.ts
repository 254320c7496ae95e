import { Injectable } from '@nestjs/common';
import { type Account, Registry } from '../../../accounts/index.js';
import { maySee, type Viewer } from '../../../auth/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';

/** Accounts for back-office reads. One that the viewer may not see is not found. */
@Injectable()
export class VisibleAccounts {
  constructor(private readonly registry: Registry) {}

  /** @throws EntityNotFound for an unknown account, or one that the viewer may not see */
  async get(viewer: Viewer, uid: string): Promise<Account> {
    const account = await this.registry.account(uid);
    if (!maySee(viewer, account.partnerUid)) throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    return account;
  }
}
