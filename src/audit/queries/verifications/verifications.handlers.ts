import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { VerificationRuns } from '../../verifications/verification-runs.js';
import type { VerificationList, VerificationView } from '../../verifications/verifications.answer.js';
import { GetVerification, ListVerifications } from './verifications.query.js';

@QueryHandler(ListVerifications)
export class ListVerificationsHandler implements IQueryHandler<ListVerifications> {
  constructor(private readonly runs: VerificationRuns) {}

  async execute(): Promise<VerificationList> {
    return { items: await this.runs.newest() };
  }
}

@QueryHandler(GetVerification)
export class GetVerificationHandler implements IQueryHandler<GetVerification> {
  constructor(private readonly runs: VerificationRuns) {}

  /** @throws EntityNotFound */
  async execute({ id }: GetVerification): Promise<VerificationView> {
    return this.runs.get(id);
  }
}
