import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ChargePayload } from './charge-payload.js';
import { GetChargePayload } from './charge-payload.query.js';
import { OwnCharges } from './own-charges.js';

@QueryHandler(GetChargePayload)
export class GetChargePayloadHandler implements IQueryHandler<GetChargePayload> {
  constructor(private readonly charges: OwnCharges) {}

  execute({ txid }: GetChargePayload): Promise<ChargePayload> {
    return this.charges.payload(txid, new Date());
  }
}
