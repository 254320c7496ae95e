import { Query } from '@nestjs/cqrs';
import type { ChargePayload } from './charge-payload.js';

/** The charge of a code of ours. @throws EntityNotFound, Gone */
export class GetChargePayload extends Query<ChargePayload> {
  constructor(readonly txid: string) {
    super();
  }
}
