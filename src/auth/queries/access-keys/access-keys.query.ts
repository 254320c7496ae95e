import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';

/** An access key without its secret, of which only a keyed hash exists. */
export interface AccessKeyView {
  readonly accessKey: string;
  readonly name: string | null;
  readonly status: string;
  readonly permissions: readonly string[];
  readonly expiresAt: string | null;
  readonly allowedIps: readonly string[] | null;
  readonly issuedAt: string;
}

/** Access keys of an account, oldest first. */
export class ListAccessKeys extends Query<Page<AccessKeyView>> {
  constructor(
    readonly accountUid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
