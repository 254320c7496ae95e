import { type BatchMode, IsBatchMode, IsBatchOf } from '../../../platform/http/index.js';
import { RequestCashOutDto } from '../request-cash-out/request-cash-out.dto.js';

export class RequestCashOutsDto {
  @IsBatchMode(['independent'])
  mode?: BatchMode;

  @IsBatchOf(RequestCashOutDto)
  items: object[];
}
