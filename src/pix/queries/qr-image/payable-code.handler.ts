import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { PayableCashIns } from '../charge-payload/payable-cash-ins.js';
import { GetPayableCode } from './payable-code.query.js';

@QueryHandler(GetPayableCode)
export class GetPayableCodeHandler implements IQueryHandler<GetPayableCode> {
  constructor(private readonly cashIns: PayableCashIns) {}

  async execute({ transactionId: id }: GetPayableCode): Promise<string> {
    const { details } = await this.cashIns.get(id, { parameter: 'id', value: id }, new Date());
    return details.qrCode;
  }
}
