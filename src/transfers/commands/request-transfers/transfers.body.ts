import { Injectable } from '@nestjs/common';
import { BatchBody, validate } from '../../../platform/http/index.js';
import { RequestTransferDto } from '../request-transfer/request-transfer.dto.js';
import { RequestTransfersDto } from './request-transfers.dto.js';

@Injectable()
export class TransfersBody extends BatchBody<RequestTransfersDto, RequestTransferDto> {
  constructor() {
    super(RequestTransfersDto, '/partners-int/accounts/transfer', (body) => validate(RequestTransferDto, body));
  }
}
