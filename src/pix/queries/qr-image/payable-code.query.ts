import { Query } from '@nestjs/cqrs';

/** The copy-and-paste code of a cash-in that can be paid now. @throws EntityNotFound, Gone */
export class GetPayableCode extends Query<string> {
  constructor(readonly transactionId: string) {
    super();
  }
}
