import { Query } from '@nestjs/cqrs';
import type { VerificationList, VerificationView } from '../../verifications/verifications.answer.js';

/** The newest verifications, newest first, without their reports. */
export class ListVerifications extends Query<VerificationList> {}

/** The progress of a verification; at its end, its report. */
export class GetVerification extends Query<VerificationView> {
  constructor(readonly id: string) {
    super();
  }
}
