import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { AuditReader } from '../../domain/auditor.js';
import type { AuditedEvent } from './events.answer.js';

/** Events of a partition from a position on, oldest first. */
export class ListEvents extends Query<Page<AuditedEvent>> {
  constructor(
    readonly auditor: AuditReader,
    readonly partition: number,
    readonly from: bigint,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** Events that opened, changed or moved money on an account, oldest first. */
export class ListEventsOfAccount extends Query<Page<AuditedEvent>> {
  constructor(
    readonly auditor: AuditReader,
    readonly uid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** Events of a transaction and of its refunds, oldest first. */
export class ListEventsOfTransaction extends Query<Page<AuditedEvent>> {
  constructor(
    readonly auditor: AuditReader,
    readonly id: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
