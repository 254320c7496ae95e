import { Query } from '@nestjs/cqrs';
import type { Receipt } from './receipt.js';

/** A receipt by its address. Unknown, not completed and a wrong token give the same error. @throws EntityNotFound */
export class GetReceipt extends Query<Receipt> {
  constructor(
    readonly transactionId: string,
    readonly token: string,
  ) {
    super();
  }
}
