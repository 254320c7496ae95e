import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { RecoveryView } from './recovery-view.js';

/** A recovery of an account. */
export class GetRecovery extends Query<RecoveryView> {
  constructor(
    readonly id: string,
    readonly accountUid: string,
  ) {
    super();
  }
}

/** Recoveries of an account, newest first. */
export class ListRecoveries extends Query<Page<RecoveryView>> {
  constructor(
    readonly accountUid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
