import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { SecureContactView } from './secure-contact-view.js';

/** Secure contacts of an account; with a partner, only if the account is that partner's. */
export class ListContacts extends Query<Page<SecureContactView>> {
  constructor(
    readonly accountUid: string,
    readonly partnerUid: string | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

export class GetContact extends Query<SecureContactView> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
  ) {
    super();
  }
}
