import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { Infraction, InfractionStatus } from '../../domain/infraction.js';
import type { CaseStep, CaseTexts } from './infraction-view.js';

/** A case, and its texts in clear. */
export interface OpenedCase {
  readonly infraction: Infraction;
  readonly texts: CaseTexts;
}

/** A case; with an account, only if it is that account's. */
export class GetInfraction extends Query<OpenedCase> {
  constructor(
    readonly id: string,
    readonly accountUid?: string,
  ) {
    super();
  }
}

/** What happened to a case, oldest first. */
export class GetCaseSteps extends Query<CaseStep[]> {
  constructor(readonly id: string) {
    super();
  }
}

/** Cases, newest first: of an account, or of all. */
export class ListInfractions extends Query<Page<OpenedCase>> {
  constructor(
    readonly accountUid: string | undefined,
    readonly status: InfractionStatus | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
