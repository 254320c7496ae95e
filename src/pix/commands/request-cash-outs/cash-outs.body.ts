import { Injectable } from '@nestjs/common';
import { BatchBody } from '../../../platform/http/index.js';
import { CashOutBody } from '../request-cash-out/cash-out.body.js';
import type { RequestedCashOut } from '../requested-cash-out.js';
import { RequestCashOutsDto } from './request-cash-outs.dto.js';

@Injectable()
export class CashOutsBody extends BatchBody<RequestCashOutsDto, RequestedCashOut> {
  constructor(single: CashOutBody) {
    super(RequestCashOutsDto, '/partners-int/accounts/pix/cashout', (body) => single.transform(body));
  }
}
