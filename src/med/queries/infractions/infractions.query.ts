import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { InfractionStatus } from '../../domain/infraction.js';
import type { CaseStep } from './infraction-view.js';
import type { OpenCasesView } from './open-cases.answer.js';
import type { OpenedCase } from './opened-case.js';

/** Whose cases may be seen: those of an account, of a partner, or of all. */
export interface CaseOwner {
  readonly accountUid?: string;
  readonly partnerUid?: string;
}

/** A case, if it is the owner's. */
export class GetInfraction extends Query<OpenedCase> {
  constructor(
    readonly id: string,
    readonly owner: CaseOwner = {},
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

/** Cases of an owner, newest first. */
export class ListInfractions extends Query<Page<OpenedCase>> {
  constructor(
    readonly owner: CaseOwner,
    readonly status: InfractionStatus | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** The counts, and the partitions that did not answer. */
export interface OpenCases extends OpenCasesView {
  readonly away: readonly number[];
}

/** How many cases wait for a decision. */
export class CountOpenCases extends Query<OpenCases> {}
